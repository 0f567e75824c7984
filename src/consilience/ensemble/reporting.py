"""Progress of an ensemble for whoever listens: the bar, and scikit-learn's callbacks."""

from ..execution import Progress


class CallbackProgress(Progress):
    """Passes progress on to a bar and to the callbacks set on an estimator.

    scikit-learn's callbacks see one subtask per finished task, in the order of finishing.

    Parameters
    ----------
    estimator : estimator
        The estimator being fitted.
    context : sklearn.callback.CallbackContext
        Its root context.
    bar : Progress
        Where progress is shown.
    """

    def __init__(self, estimator, context, bar: Progress):
        self._estimator = estimator
        self._context = context
        self._bar = bar

    def start(self, total: int, done: int = 0) -> None:
        """Begin, with some tasks done before."""
        self._bar.start(total, done)
        self._context.call_on_fit_task_begin(estimator=self._estimator)
        self._finish_tasks(done)

    def advance(self, n: int = 1) -> None:
        """Count finished tasks."""
        self._bar.advance(n)
        self._finish_tasks(n)

    def describe(self, label: str) -> None:
        """Say what the work is now."""
        self._bar.describe(label)

    def place(self, words: str) -> None:
        """Say where the work is done."""
        self._bar.place(words)

    def finish(self) -> None:
        """End, whether or not all is done."""
        self._bar.finish()
        self._context.call_on_fit_task_end(estimator=self._estimator)

    def _finish_tasks(self, n):
        for _ in range(n):
            task = self._context.subcontext(task_name="samples")
            task.call_on_fit_task_begin(estimator=self._estimator)
            task.call_on_fit_task_end(estimator=self._estimator)

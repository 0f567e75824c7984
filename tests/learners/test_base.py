from sklearn.naive_bayes import GaussianNB

from consilience.learners import GeneralLearner, KNNLearner, LinearSVMLearner, RidgeLearner
from consilience.results.plain import clean


def test_learners_name_their_parameters_and_no_address():
    assert repr(KNNLearner(5)) == "KNNLearner(n_neighbors=5)"
    assert repr(LinearSVMLearner(0.5)) == "LinearSVMLearner(C=0.5, tol=1e-08)"
    assert repr(GeneralLearner(GaussianNB())) == "GeneralLearner(estimator=GaussianNB())"
    assert clean(RidgeLearner()) == "RidgeLearner(alpha=1.0)"

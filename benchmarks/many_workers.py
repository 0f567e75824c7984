"""Many workers in one process, for tasks that only sleep: many_workers.py ADDRESS N THREADS."""

import asyncio
import sys

from distributed import Worker


async def main(address, n_workers, n_threads):
    how = {"nthreads": n_threads, "memory_limit": 0, "dashboard": False}
    workers = await asyncio.gather(*[Worker(address, **how) for _ in range(n_workers)])
    await asyncio.gather(*[worker.finished() for worker in workers])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))

"""The fast core: the same rules over plain arrays, compiled by numba for CPU and CUDA from one source."""

"""Op registrations read out of C++ and CUDA sources. Imported only for a project that has such sources."""

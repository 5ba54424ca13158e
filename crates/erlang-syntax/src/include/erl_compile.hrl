%% Options of the compilers of other languages; written for Foresee.
-record(options, {includes = [], outdir = ".", output_type = undefined, defines = [], warning = 1,
                  verbose = false, optimize = 999, specific = [], outfile = "", cwd}).

%% What is known of a file, as the modules file and filelib tell it; written for Foresee.
-ifndef(FILE_HRL_).
-define(FILE_HRL_, true).

-record(file_info, {size, type, access, atime, mtime, ctime, mode, links, major_device, minor_device,
                    inode, uid, gid}).
-record(file_descriptor, {module, data}).

-endif.

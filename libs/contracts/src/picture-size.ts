/** The most bytes of an uploaded picture. The account web reads it here, without the schemas of operations. */
export const pictureBytesMax = 20 * 1024;

/** The most pixels of a side of an uploaded picture. */
export const pictureSideMax = 1_024;

/** The error while the generation of Redis is unknown. The caller may retry. */
export const unknownGeneration = (): Error =>
  Object.assign(new Error("the life of Redis is not known yet"), { code: "ECONNREFUSED" });

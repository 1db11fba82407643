/** What is thrown while nobody can say which life of Redis answers; the caller may try again. */
export const unknownGeneration = (): Error =>
  Object.assign(new Error("the life of Redis is not known yet"), { code: "ECONNREFUSED" });

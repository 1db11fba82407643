import { z } from "zod";

/** An option that holds a function. Only a `.ts` configuration can set one. */
export const functionOption = <F extends (...args: never[]) => unknown>() =>
  z.custom<F>((value) => typeof value === "function", "must be a function");

/** A part of the tree. Unknown names are rejected; leaving it out means its defaults. */
export const section = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).prefault({} as never);

/** Whole seconds. */
export const seconds = z.int().min(0).max(34_560_000);

/** The path at which a web is served. */
export const webPath = z
  .string()
  .regex(/^(?:\/[\w.~-]+)+\/?$/, "must be a path of letters, digits, `.`, `_`, `~` and `-`");

import { z } from "zod";

/** An option that holds a function; only the `.ts` form of the configuration can give one. */
export const functionOption = <F extends (...args: never[]) => unknown>() =>
  z.custom<F>((value) => typeof value === "function", "must be a function");

/** A part of the tree: unknown names are refused, and leaving it out means its defaults. */
export const section = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).prefault({} as never);

/** Whole seconds. */
export const seconds = z.int().min(0).max(34_560_000);

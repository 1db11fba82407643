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

/** The URL of a page, in the form that browsers write, so that the redirect rules accept it and a path can be appended. */
export const pageUrl = z.string().refine(
  (text) => {
    const url = URL.parse(text);
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    return isWeb && [text, `${text}/`].includes(`${url.origin}${url.pathname}`);
  },
  { error: "must be an http or https URL without query, such as https://app.example.com" },
);

import { z } from "zod";
import { isOrdinaryHost } from "../ordinary-host.ts";

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

/** Returns a parsed URL of the web. Its host is safe in headers and attributes. */
const parseWebUrl = (text: string): URL | undefined => {
  const url = URL.parse(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && isOrdinaryHost(url.hostname) ? url : undefined;
};

/** Any URL of the web. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2048)
  .refine((text) => parseWebUrl(text) !== undefined, {
    error: "must have a host of letters, digits, `.`, `_` and `-`",
  });

/** The origin of a server of the web, in the form that browsers write. */
export const webOrigin = z.string().refine((text) => parseWebUrl(text)?.origin === text, {
  error: "must be an http or https origin such as https://images.example.com",
});

/** The URL of a page, in the form that browsers write, so that the redirect rules accept it and a path can be appended. */
export const pageUrl = z.string().refine(
  (text) => {
    const url = parseWebUrl(text);
    return url !== undefined && [text, `${text}/`].includes(`${url.origin}${url.pathname}`);
  },
  { error: "must be an http or https URL without query, such as https://app.example.com" },
);

import { readRedisCluster } from "./redis-url.ts";

/** Replaces secrets. It has a fixed length, so that it does not reveal theirs. */
export const mask = "••••••••";

const userinfo = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/** Masks credentials and parameter values in a URL. Host, path and parameter names remain. */
const maskAddress = (text: string): string => {
  // `URL` cannot parse several hosts.
  if (readRedisCluster(text)) return text.replace(userinfo, `$1${mask}@`);
  const url = URL.parse(text);
  if (!url) return mask;
  const who = url.username || url.password ? `${mask}@` : "";
  const names = [...url.searchParams.keys()].map((name) => `${name}=${mask}`);
  const search = names.length > 0 ? `?${names.join("&")}` : "";
  return `${url.protocol}//${who}${url.host}${url.pathname}${search}`;
};

/** The secret part of an option: all of it, or the credentials in a URL. */
export type Secrecy = "whole" | "address";

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const maskText = (text: string, secrecy: Secrecy | undefined): string => {
  if (secrecy === "whole") return mask;
  return secrecy === "address" ? maskAddress(text) : text.replace(userinfo, `$1${mask}@`);
};

/**
 * Returns the value of an option as JSON that can be shown. Functions become `"function"`, and other values that JSON cannot express
 * become their kind. Secrets are masked, including every text and number in them. Credentials in URLs are always masked.
 */
export const maskOption = (value: unknown, secrecy?: Secrecy): unknown => {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return maskText(value, secrecy);
  if (typeof value === "function") return "function";
  if (typeof value !== "object") return secrecy ? mask : value;
  if (Array.isArray(value)) return value.map((item) => maskOption(item, secrecy));
  if (value instanceof Date) return secrecy ? mask : value.toJSON();
  if (!isPlain(value)) return "object";
  return Object.fromEntries(
    Object.entries(value).map(([name, below]) => [name, maskOption(below, secrecy)]),
  );
};

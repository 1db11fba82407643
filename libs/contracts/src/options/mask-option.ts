import { readRedisCluster } from "./redis-url.ts";

/** Stands for what nobody is shown, whatever its length. */
export const mask = "••••••••";

const userinfo = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/** An address without who signs in there and by what: host and path stay, and the names of its parameters. */
const maskAddress = (text: string): string => {
  // Of several hosts, which `URL` does not read.
  if (readRedisCluster(text)) return text.replace(userinfo, `$1${mask}@`);
  const url = URL.parse(text);
  if (!url) return mask;
  const who = url.username || url.password ? `${mask}@` : "";
  const names = [...url.searchParams.keys()].map((name) => `${name}=${mask}`);
  const search = names.length > 0 ? `?${names.join("&")}` : "";
  return `${url.protocol}//${who}${url.host}${url.pathname}${search}`;
};

/** What is secret of an option: all of it, or the credentials in an address. */
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
 * The value of an option as JSON that may be shown: functions are `"function"`, other things that JSON has none of are told by
 * their kind, and what is secret is masked, down to every text and number in it. What signs in by an address is never shown.
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

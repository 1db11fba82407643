import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** A service of docker-compose.yml, with the members that the tests read. */
export interface ComposeService {
  image: string;
  build?: unknown;
  command?: string[];
  user?: string;
  profiles?: string[];
  environment?: Record<string, string>;
  volumes?: (string | { source: string; target: string; volume: { subpath: string } })[];
  networks?: string[] | Record<string, { aliases?: string[]; ipv4_address?: string } | null>;
  network_mode?: string;
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  restart?: string;
  [key: string]: unknown;
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<
    string,
    { internal?: boolean; ipam?: { config: { subnet: string; ip_range: string }[] } } | null
  >;
  volumes: Record<string, unknown>;
}

const composeText = readFileSync(join(import.meta.dirname, "docker-compose.yml"), "utf8");
const written = parse(composeText, { merge: true, maxAliasCount: -1 }) as unknown;

/** `${NAME:-default}`, `${NAME:+text}`, `${NAME}` and `$NAME`; a doubled dollar is an escaped one. */
const variable = /(?<!\$)\$(?:\{(\w+)(?::([-+])([^}]*))?\}|(\w+))/g;

/** Substitutes variables as Compose does. */
export const interpolate = (text: string, given: Record<string, string>): string =>
  text
    .replaceAll(variable, (_, braced?: string, sign?: string, other = "", plain?: string) => {
      const value = given[braced ?? plain ?? ""] ?? "";
      if (sign === "+") return value && interpolate(other, given);
      return value || other;
    })
    .replaceAll("$$", "$");

const interpolateWithin = (value: unknown, given: Record<string, string>): unknown => {
  if (typeof value === "string") return interpolate(value, given);
  if (Array.isArray(value)) return value.map((each) => interpolateWithin(each, given));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, interpolateWithin(each, given)]),
  );
};

/** Returns the parsed file with these variables. */
export const readCompose = (given: Record<string, string> = {}): ComposeFile =>
  interpolateWithin(written, given) as ComposeFile;

/** Returns every variable of the file with its defaults. A consistent file has one default per variable. */
export const composeVariables = (): Map<string, Set<string>> => {
  const defaultsByName = new Map<string, Set<string>>();
  for (const [, name = "", sign, fallback = ""] of JSON.stringify(written).matchAll(variable)) {
    if (name === "") continue;
    const defaults = defaultsByName.get(name) ?? new Set();
    defaultsByName.set(name, defaults.add(sign === "-" ? fallback : ""));
  }
  return defaultsByName;
};

/** The networks of a service, with its settings in each. */
export const networksOf = ({ networks = [] }: ComposeService) =>
  Array.isArray(networks) ? Object.fromEntries(networks.map((name) => [name, null])) : networks;

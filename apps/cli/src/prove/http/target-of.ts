import type { Operation } from "@latchkey/contracts";

/** The input of an operation. */
export interface Sent {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/** Returns the request target of an operation, relative to the base path. */
export const targetOf = ({ path }: Operation, { params = {}, query = {} }: Sent): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  const queryText = new URLSearchParams(
    said.map(([name, value]) => [name, String(value)]),
  ).toString();
  return queryText ? `${filled}?${queryText}` : filled;
};

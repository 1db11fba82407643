import type { Operation } from "@latchkey/contracts";

/** What an operation is sent. */
export interface Sent {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/** Where an operation is asked, below the base path. */
export const targetOf = ({ path }: Operation, { params = {}, query = {} }: Sent): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const said = Object.entries(query).filter(([, value]) => value !== undefined);
  const asked = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
  return asked ? `${filled}?${asked}` : filled;
};

import { messageOf } from "../commands/message-of.ts";

/** A server that a check speaks to; `option` is where its address is configured. */
export interface Server {
  what: string;
  /** Without credentials. */
  address: string;
  option: string;
}

type Advice = (server: Server) => string;

/** What drivers, servers and Node call a failure, and what to do about it. */
const advices: readonly (readonly [RegExp, Advice])[] = [
  [
    /ECONNREFUSED|ENOENT/,
    ({ what, address, option }) => `start ${what} at ${address}, or mend ${option}`,
  ],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, ({ option }) => `mend the host in ${option}, or name resolution`],
  [
    /28P01|SASL authentication failed|WRONGPASS|NOAUTH|EAUTH|invalid password|without any password configured/,
    ({ option }) => `mend user and password in ${option}`,
  ],
  [
    /28000/,
    ({ option }) =>
      `let this user connect from here (pg_hba.conf), over TLS if it must be (sslmode=require in ${option})`,
  ],
  [
    /cluster support disabled/,
    ({ option }) => `write redis:// for redis-cluster:// in ${option}, as it is a single server`,
  ],
  [/CLUSTERDOWN/, () => "start every master of the cluster, or let a replica take over"],
  [/3D000/, ({ option }) => `create that database, or mend its name in ${option}`],
  [/53300/, () => "raise max_connections, or lower advanced.database.poolMax"],
  [/57P03/, () => "wait for it to have started, and check again"],
  [/42501|NOPERM/, ({ option }) => `give the user of ${option} that right`],
  [
    /certificate|CERT_|TLS|SSL|wrong version number/i,
    ({ what, option }) => `let ${what} show a certificate for its name, or mend ${option}`,
  ],
  [
    /ETIMEDOUT|timeout|longer than|EHOSTUNREACH|ENETUNREACH|ECONNRESET/i,
    ({ what, address, option }) =>
      `see that ${what} runs at ${address} and that this machine may reach it, or mend ${option}`,
  ],
];

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Why a server could not be used, and what to do. */
export const explainError = (
  error: unknown,
  server: Server,
): { detail: string; remedy: string } => {
  const detail = messageOf(error);
  const found = advices.find(([pattern]) => pattern.test(`${codeOf(error)} ${detail}`));
  const remedy = found?.[1](server) ?? `mend what ${server.what} says, or ${server.option}`;
  return { detail, remedy };
};

import { messageOf } from "../terminal/message-of.ts";

/** A server that is checked. `option` names the setting of its address. */
export interface Server {
  what: string;
  /** Without credentials. */
  address: string;
  option: string;
}

type Advice = (server: Server) => string;

/** Error codes and messages of drivers, servers and Node, with their remedies. */
const advices: readonly (readonly [RegExp, Advice])[] = [
  [
    /ECONNREFUSED|ENOENT/,
    ({ what, address, option }) => `start ${what} at ${address}, or fix ${option}`,
  ],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, ({ option }) => `fix the host in ${option}, or name resolution`],
  [
    /28P01|SASL authentication failed|WRONGPASS|NOAUTH|EAUTH|invalid password|without any password configured/,
    ({ option }) => `fix user and password in ${option}`,
  ],
  [
    /28000/,
    ({ option }) =>
      `let this user connect from here (pg_hba.conf), over TLS if required (sslmode=require in ${option})`,
  ],
  [
    /cluster support disabled/,
    ({ option }) =>
      `replace redis-cluster:// with redis:// in ${option}, because it is a single server`,
  ],
  [/CLUSTERDOWN/, () => "start every master of the cluster, or let a replica take over"],
  [/3D000/, ({ option }) => `create that database, or fix its name in ${option}`],
  [/53300/, () => "raise max_connections, or lower advanced.database.poolMax"],
  [/57P03/, () => "wait for it to start, and check again"],
  [/42501|NOPERM/, ({ option }) => `grant the user of ${option} that privilege`],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)|self.signed certificate|unable to (verify the first|get local issuer)/i,
    ({ option }) =>
      /DATABASE_URL/.test(option)
        ? `name the file of its certificate authority by ?sslmode=verify-full&sslrootcert=<file> in ${option}, or by NODE_EXTRA_CA_CERTS`
        : "name the file of its certificate authority by NODE_EXTRA_CA_CERTS, and start the process again",
  ],
  [
    /26000|42P05|prepared statement/,
    ({ option }) =>
      `set DATABASE_PREPARED_STATEMENTS=false, or max_prepared_statements in the PgBouncer (1.21 or newer) of ${option}`,
  ],
  [
    /certificate|CERT_|TLS|SSL|wrong version number/i,
    ({ what, option }) => `give ${what} a certificate for its name, or fix ${option}`,
  ],
  [
    /ETIMEDOUT|timeout|longer than|EHOSTUNREACH|ENETUNREACH|ECONNRESET/i,
    ({ what, address, option }) =>
      `make sure that ${what} runs at ${address} and that this machine may reach it, or fix ${option}`,
  ],
];

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Returns why a server could not be used, and the remedy. */
export const explainError = (
  error: unknown,
  server: Server,
): { detail: string; remedy: string } => {
  const detail = messageOf(error);
  const advice = advices.find(([pattern]) => pattern.test(`${codeOf(error)} ${detail}`));
  const remedy = advice?.[1](server) ?? `fix what ${server.what} says, or ${server.option}`;
  return { detail, remedy };
};

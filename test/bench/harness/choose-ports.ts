import { freePort } from "../../../libs/testkit/src/free-port.ts";

const portVariables = [
  "PORT",
  "GATEWAY_INTERNAL_PORT",
  "IDENTITY_PORT",
  "ORGANIZATION_PORT",
  "APIKEY_PORT",
  "MAILER_PORT",
] as const;

/** The ports of one of each service, by the variables that say them. */
export type Ports = Record<(typeof portVariables)[number], string>;

export const choosePorts = async (): Promise<Ports> => {
  const chosen: Partial<Ports> = {};
  for (const variable of portVariables) chosen[variable] = String(await freePort());
  return chosen as Ports; // one for each
};

import { optionsSchema } from "@latchkey/contracts";
import { createLogger, createOutbound, type Outbound } from "@latchkey/service-kit";
import { createProviders, type Providers } from "./create-providers.ts";
import { openTalk, type Talk } from "./talk.ts";

/** The time that it is in every test of providers. */
export const now = Date.parse("2031-05-06T07:08:09Z");
export const seconds = now / 1_000;

export const credentials = {
  clientId: ["client-of-the-test", "other-client-of-the-test"],
  clientSecret: "secret/of the+test",
};

/** A client for calls that may reach this machine, by its address. */
export const localOutbound = (deadlineMilliseconds = 10_000): Outbound =>
  createOutbound({ privateHosts: ["127.0.0.1"], deadlineMilliseconds });

export const createTestProviders = (
  outbound: Outbound,
  configured: Record<string, Record<string, unknown>>,
  clock: () => number = () => now,
): Providers => {
  const { socialProviders } = optionsSchema.parse({ socialProviders: configured });
  const logger = createLogger({ service: "test", level: "silent" });
  return createProviders({ outbound, clock, logger }, socialProviders);
};

/** A conversation with one provider of these options, besides credentials; `talkMilliseconds` is how long it may last. */
export const openTestTalk = async (
  outbound: Outbound,
  id: string,
  {
    talkMilliseconds = 10_000,
    ...options
  }: Record<string, unknown> & { talkMilliseconds?: number } = {},
): Promise<Talk> => {
  const providers = createTestProviders(outbound, { [id]: { ...credentials, ...options } });
  return openTalk({ outbound, clock: () => now, talkMilliseconds }, providers.get(id)!);
};

/** The same with every endpoint of the provider at `base`, below its id. */
export const openLocalTalk = async (
  { outbound, base }: { outbound: Outbound; base: string },
  id: string,
  options: Record<string, unknown> = {},
): Promise<Talk> => {
  const { definition } = await openTestTalk(outbound, id, options);
  const names = Object.keys(definition.endpoints);
  const endpoints = Object.fromEntries(names.map((name) => [name, `${base}/${id}/${name}`]));
  return openTestTalk(outbound, id, { ...options, endpoints });
};

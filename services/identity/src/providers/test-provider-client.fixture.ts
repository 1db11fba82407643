import { optionsSchema } from "@latchkey/contracts";
import { createOutbound, type Outbound } from "@latchkey/service-kit/http";
import { createLogger } from "@latchkey/service-kit/observe";
import { createProviders, type Providers } from "./create-providers.ts";
import { openProviderClient, type ProviderClient } from "./provider-client.ts";

/** The fixed time of all provider tests. */
export const now = Date.parse("2031-05-06T07:08:09Z");
export const seconds = now / 1_000;

export const credentials = {
  clientId: ["client-of-the-test", "other-client-of-the-test"],
  clientSecret: "secret/of the+test",
};

/** A client that may call this machine by its address. */
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

/** Opens a client for one provider with these options plus credentials. `callsMilliseconds` is its deadline. */
export const openTestProviderClient = async (
  outbound: Outbound,
  id: string,
  {
    callsMilliseconds = 10_000,
    ...options
  }: Record<string, unknown> & { callsMilliseconds?: number } = {},
): Promise<ProviderClient> => {
  const providers = createTestProviders(outbound, { [id]: { ...credentials, ...options } });
  return openProviderClient({ outbound, clock: () => now, callsMilliseconds }, providers.get(id)!);
};

/** The same with every endpoint of the provider at `base`, below its id. */
export const openLocalProviderClient = async (
  { outbound, base }: { outbound: Outbound; base: string },
  id: string,
  options: Record<string, unknown> = {},
): Promise<ProviderClient> => {
  const { definition } = await openTestProviderClient(outbound, id, options);
  const names = Object.keys(definition.endpoints);
  const endpoints = Object.fromEntries(names.map((name) => [name, `${base}/${id}/${name}`]));
  return openTestProviderClient(outbound, id, { ...options, endpoints });
};

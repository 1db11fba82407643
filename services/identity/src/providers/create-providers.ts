import type {
  GenericProviderOptions,
  KnownProviderId,
  Options,
  ProviderOptions,
} from "@latchkey/contracts";
import type { Outbound } from "@latchkey/service-kit/http";
import type { Logger } from "@latchkey/service-kit/observe";
import { catalogue } from "./catalogue.ts";
import { createGenericDefinition } from "./generic-provider.ts";
import type { ProviderDefinition } from "./provider.ts";
import { fixedDefinition, type Provider } from "./provider-client.ts";

/** The configured providers, by id. */
export type Providers = ReadonlyMap<string, Provider>;

interface Needs {
  outbound: Outbound;
  clock: () => number;
  logger: Logger;
}

const isKnown = (id: string): id is KnownProviderId => Object.hasOwn(catalogue, id);

/** The client's ids. TikTok's client key comes first. */
const clientIdsOf = (options: ProviderOptions & { clientKey?: string | undefined }): string[] =>
  [options.clientKey ?? [], options.clientId ?? []].flat();

const withEndpoints = (
  definition: ProviderDefinition,
  { endpoints }: ProviderOptions,
): ProviderDefinition => {
  const own = Object.entries(endpoints).filter(([, url]) => url !== undefined);
  return {
    ...definition,
    endpoints: { ...definition.endpoints, ...Object.fromEntries(own) },
  };
};

const createDefinition = (needs: Needs, id: string, options: ProviderOptions) => {
  if (!isKnown(id)) return createGenericDefinition(needs, id, options as GenericProviderOptions);
  // The options of an id have the type that its own definition takes.
  const create: (own: never) => ProviderDefinition = catalogue[id];
  return fixedDefinition(withEndpoints(create(options as never), options));
};

/** Creates the enabled providers of the options. */
export const createProviders = (
  needs: Needs,
  configured: Options["socialProviders"],
): Providers => {
  const providers = new Map<string, Provider>();
  for (const [id, options] of Object.entries(configured)) {
    if (!options?.enabled) continue;
    if (!(options.clientSecret ?? options.privateKey))
      needs.logger.warn(`Social provider ${id} is missing clientId or clientSecret`);
    providers.set(id, {
      id,
      options,
      // The config validation ensures that an enabled provider has an id.
      clientIds: clientIdsOf(options) as [string, ...string[]],
      ...createDefinition(needs, id, options),
      keys: {},
    });
  }
  return providers;
};

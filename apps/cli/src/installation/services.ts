import { apikey } from "@latchkey/apikey";
import { gateway } from "@latchkey/gateway";
import { identity } from "@latchkey/identity";
import { mailer } from "@latchkey/mailer";
import { oauth } from "@latchkey/oauth";
import { organization } from "@latchkey/organization";
import { webhooks } from "@latchkey/webhooks";
import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { type Settings, settingsOf } from "@latchkey/service-kit/config";
import type { Service } from "@latchkey/service-kit/run";
import type { CarriedSchema } from "@latchkey/service-kit/transfer";

const services: Readonly<Record<ServiceName, Service>> = {
  mailer,
  identity,
  organization,
  apikey,
  webhooks,
  oauth,
  gateway,
};

/** Some services, each after those that it calls. */
export const servicesOf = (names: readonly ServiceName[]): readonly Service[] =>
  serviceNames.filter((name) => names.includes(name)).map((name) => services[name]);

/** Returns the settings for reading a service's data: as the owner if there is one, else as the service. */
export const readerSettings = (settings: Settings, name: ServiceName): Settings =>
  settings.options.databaseUrl ? settings : settingsOf(settings, name);

/**
 * Returns the schemas that belong to an installation, each with its service's connection, or the owner's. The gateway has none, because its
 * counts restart from zero.
 */
export const carriedSchemas = (
  settings: Settings,
  as: "service" | "owner",
): readonly CarriedSchema[] =>
  servicesOf(serviceNames).flatMap(({ name, portable }) =>
    portable
      ? [
          {
            name,
            portable,
            settings: as === "owner" ? readerSettings(settings, name) : settingsOf(settings, name),
          },
        ]
      : [],
  );

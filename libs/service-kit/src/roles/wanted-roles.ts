import { type ServiceName, serviceNames } from "@latchkey/contracts";
import { ConfigurationError } from "../config/configuration-error.ts";
import type { Settings } from "../config/settings.ts";
import { schemasOf } from "../config/schemas-of.ts";

/** A role with which services sign in to Postgres. */
export interface WantedRole {
  name: string;
  /** Undefined if it signs in by other means, such as a certificate. */
  password: string | undefined;
  /** The services that use it. */
  services: ServiceName[];
  /** The schemas that it may read and write. */
  schemas: string[];
}

const decode = (text: string): string => decodeURIComponent(text);

/** Returns the services' own roles, without duplicates. */
export const wantedRoles = (settings: Settings): WantedRole[] => {
  const roles = new Map<string, WantedRole>();
  const problems: string[] = [];
  for (const service of serviceNames) {
    const { url } = settings.options.databases[service];
    const { username, password } = new URL(url ?? "postgres://");
    if (username === "") continue;
    const name = decode(username);
    const decodedPassword = password === "" ? undefined : decode(password);
    const role = roles.get(name) ?? { name, password: decodedPassword, services: [], schemas: [] };
    if (role.password !== decodedPassword)
      problems.push(
        `databases.${service}.url: has a different password for ${name} than another address`,
      );
    role.services.push(service);
    role.schemas.push(...schemasOf(settings, service).filter((one) => !role.schemas.includes(one)));
    roles.set(name, role);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return [...roles.values()];
};

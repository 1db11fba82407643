import { basePathOf, type Settings } from "@latchkey/service-kit/config";

/** Returns the settings of the oauth service. */
export const readOauthConfig = ({ options }: Pick<Settings, "options">) => ({
  oauthProvider: options.oauthProvider,
  deviceAuthorization: options.deviceAuthorization,
  admin: options.admin,
  jwks: options.jwt.jwks,
  baseURL: options.baseURL,
  basePath: basePathOf(options),
  accountPath: options.account.path,
  errorURL: options.onAPIError.errorURL,
});

export type OauthConfig = ReturnType<typeof readOauthConfig>;

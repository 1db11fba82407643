/** The environment of services that listen wherever there is room. */
export const anyPort = {
  PORT: "0",
  IDENTITY_PORT: "0",
  ORGANIZATION_PORT: "0",
  APIKEY_PORT: "0",
  MAILER_PORT: "0",
  GATEWAY_INTERNAL_PORT: "0",
};

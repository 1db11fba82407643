/** Environment of services that listen on any free port. */
export const anyPort = {
  PORT: "0",
  IDENTITY_PORT: "0",
  ORGANIZATION_PORT: "0",
  APIKEY_PORT: "0",
  MAILER_PORT: "0",
  GATEWAY_INTERNAL_PORT: "0",
};

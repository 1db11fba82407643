/** Where each service answers health: the variable that says its port, and the port without it. */
export const servicePorts: Readonly<
  Record<string, readonly [variable: string, port: number] | undefined>
> = {
  gateway: ["GATEWAY_INTERNAL_PORT", 3005],
  identity: ["IDENTITY_PORT", 3001],
  organization: ["ORGANIZATION_PORT", 3002],
  apikey: ["APIKEY_PORT", 3003],
  mailer: ["MAILER_PORT", 3004],
};

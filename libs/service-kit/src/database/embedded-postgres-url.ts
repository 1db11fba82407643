/** Returns the address of an embedded server, with the superuser's password. */
export const embeddedPostgresUrl = (password: string, port: number): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;

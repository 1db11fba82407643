/** Where an embedded server is reached; it holds the superuser's password. */
export const embeddedPostgresUrl = (password: string, port: number): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;

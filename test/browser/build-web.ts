import { keepAdminWebBuilt } from "../../scripts/admin-web/build-admin-web.ts";

/** Builds the web before the tests that look at it, if it has changed. */
export const setup = async (): Promise<void> => {
  await keepAdminWebBuilt();
};

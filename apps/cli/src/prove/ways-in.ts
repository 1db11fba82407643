import { operations } from "@latchkey/contracts";
import type { CheckContext, Person } from "./check-context.ts";
import { done } from "./done.ts";
import type { TenantIds } from "./input-of.ts";
import { offered } from "./offered.ts";
import { enableApp, trustBrowser } from "./second-factors.ts";
import { registerPasskey } from "./software-passkey.ts";

const { identity } = operations;

type Ids = Pick<TenantIds, "passkeyId" | "trustedDeviceId">;

/** Turns a second factor on and trusts another browser. Returns the id of the trust. */
const trustAnother = async (context: CheckContext, owner: Person): Promise<string | undefined> => {
  const app = await enableApp(owner);
  await trustBrowser(context, owner, app.backupCodes[0]);
  const [device] = await done(owner.browser.ask(identity.listTrustedDevices), "a trusted browser");
  return device?.id;
};

const create = async (context: CheckContext, owner: Person): Promise<Ids> => {
  const passkey = await offered(registerPasskey(context, owner.browser));
  const trustedDeviceId = await offered(trustAnother(context, owner));
  return { passkeyId: passkey?.id, trustedDeviceId };
};

const made = new WeakMap<Person, Promise<Ids>>();

/** Returns the ids of a user's passkey and trusted browser, which all checks share. Creates them and a second factor at the first call. */
export const waysInOf = (context: CheckContext, owner: Person): Promise<Ids> => {
  const present = made.get(owner) ?? create(context, owner);
  made.set(owner, present);
  return present;
};

import { operations } from "@latchkey/contracts";
import { createSecretRing, seal } from "@latchkey/crypto";
import { openFirstRun } from "@latchkey/identity/commands";
import { createBrowserLike } from "../../../harness/browser-like.ts";
import { callOperation, expectOk } from "../../../harness/operations.ts";
import { tinyPicture } from "../../../harness/pictures.ts";
import { createFailedMessage } from "../../../harness/mails.ts";
import { beginChallenge, enableApp, prepareApp } from "../../../harness/second-factor.ts";
import {
  beginPasskeySignIn,
  beginRegistration,
  newAuthenticator,
  type PasskeyView,
  registerPasskey,
} from "../../../harness/passkeys.ts";
import {
  beginSignIn,
  callCallback,
  googleToken,
  newProfile,
  signInWith,
} from "../../../harness/social-sign-in.ts";
import { newNumber } from "../../../harness/text-messages.ts";
import {
  newClient,
  newEmail,
  password,
  signUp,
  signUpAs,
  type TestUser,
} from "../../../harness/users.ts";
import { codeFor } from "../../../harness/providers/oauth-provider.ts";
import type { PreparedCall, Prepare } from "./prepared-call.ts";
import { proxySecret, tokenPage, type World } from "./world.ts";
import { verifyAddress } from "../../../harness/rows.ts";

const newPassword = "another horse battery";

const byNobody =
  (body: () => object): Prepare =>
  ({ system }) => ({ by: newClient(system), sent: { body: body() } });

/** Called by a new user. */
const bySomebody =
  (sent: (person: TestUser) => PreparedCall["sent"] = () => ({})): Prepare =>
  async ({ system }) => {
    const person = await signUp(system);
    return { by: person, sent: sent(person) };
  };

/** Called about a new user. */
const about =
  (by: "operator" | "service", sent: (person: TestUser) => PreparedCall["sent"]): Prepare =>
  async ({ system, operator }) => {
    const person = await signUp(system);
    return { by: by === "operator" ? operator : by, sent: sent(person) };
  };

const byOperator =
  (sent: PreparedCall["sent"] = {}): Prepare =>
  ({ operator }) => ({ by: operator, sent });

const ofSystem =
  (body: (world: World) => object): Prepare =>
  (world) => ({ by: "gateway", sent: { body: body(world) } });

/** Returns the target of a mailed link. */
const linkOf = async (
  { system }: World,
  { email, browser }: Pick<TestUser, "browser" | "email">,
  path: string,
  body: object = { email },
) => {
  await browser.post(path, body);
  const { links } = await system.smtp.waitForMail(email);
  const { pathname, searchParams } = new URL(links[0] ?? "");
  return { segment: pathname.split("/").at(-1) ?? "", token: searchParams.get("token") ?? "" };
};

/** Two users whose owners have proven their addresses in the browsers that signed up. */
const mergeable = async (world: World) => {
  const people = [await signUp(world.system), await signUp(world.system)] as const;
  for (const person of people) {
    const { token } = await linkOf(world, person, "/send-verification-email");
    await person.browser.post("/verify-email", { token });
  }
  const [user, merged] = people;
  return { userId: user.user.id, mergedUserId: merged.user.id };
};

const withResetToken =
  (sentFor: (token: string) => PreparedCall["sent"]): Prepare =>
  async (world) => {
    const person = await signUp(world.system);
    const { segment } = await linkOf(world, person, "/request-password-reset");
    return { by: newClient(world.system), sent: sentFor(segment) };
  };

/** Returns the code in the newest mail to an address. */
const codeTo = async ({ smtp }: World["system"], email: string): Promise<string> => {
  const code = /\b\d{6}\b/;
  const { text } = await smtp.waitForMail(
    (mail) => mail.to.includes(email) && code.test(mail.text),
  );
  return code.exec(text)?.[0] ?? "";
};

/** The code that a user requested in the same browser. */
const withCode =
  (
    type: string,
    sentFor: (input: { email: string; otp: string; type: string }) => PreparedCall["sent"],
  ): Prepare =>
  async ({ system }) => {
    const { email, browser } = await signUp(system);
    await browser.post("/email-otp/send-verification-otp", { email, type });
    return { by: { browser }, sent: sentFor({ email, otp: await codeTo(system, email), type }) };
  };

/** The token of a link that signs a new user in. */
const withMagicLink =
  (sentFor: (token: string) => PreparedCall["sent"]): Prepare =>
  async (world) => {
    const person = { ...newClient(world.system), email: newEmail() };
    const { token } = await linkOf(world, person, "/sign-in/magic-link");
    return { by: newClient(world.system), sent: sentFor(token) };
  };

/** The token of a link that undoes a change of address. */
const withUndoLink =
  (sentFor: (token: string) => PreparedCall["sent"]): Prepare =>
  async (world) => {
    const { system, rows } = world;
    const person = await signUp(system);
    await verifyAddress(rows, person.email);
    const isLink = (path: string) => (one: string) => one.includes(path);
    const linkTo = async (path: string) => {
      const mail = await system.smtp.waitForMail(
        ({ to, links }) => to.includes(person.email) && links.some(isLink(path)),
      );
      return new URL(mail.links.find(isLink(path)) ?? "");
    };
    await person.browser.post("/change-email", { newEmail: newEmail() });
    const { pathname, search } = await linkTo("/verify-email?");
    await person.browser.get(pathname.replace(/^.*(?=\/verify-email)/, "") + search);
    const { searchParams } = await linkTo("/change-email/undo?");
    return { by: newClient(system), sent: sentFor(searchParams.get("token") ?? "") };
  };

/** Returns from the provider in the browser that was sent there. */
const callback =
  (name: "query" | "body"): Prepare =>
  async ({ system }) => {
    const by = { browser: createBrowserLike(system.url) };
    const { state } = await beginSignIn(by.browser, { provider: "plain", callbackURL: "/home" });
    const sent = { params: { id: "plain" }, [name]: { code: codeFor(newProfile()), state } };
    return { by, sent };
  };

/** Returns from the provider by way of production. */
const forwarded: Prepare = async (world) => {
  const { by, sent } = await callback("query")(world);
  const { code, state } = sent.query ?? {};
  const content = { preview: world.system.url, providerId: "plain", state, returned: { code } };
  const ring = createSecretRing([proxySecret]);
  const expiresAt = Date.now() + 600_000;
  const profile = seal(ring, "oauth proxy response", JSON.stringify({ ...content, expiresAt }));
  return { by, sent: { params: { id: "plain" }, query: { state: String(state), profile } } };
};

/** A user with an account at the provider, whose token is still valid. */
const withAccount =
  (
    sentFor: (account: { id: string; userId: string; accountId: string }) => PreparedCall["sent"],
    by?: "operator" | "service",
  ): Prepare =>
  async ({ system, rows, operator }) => {
    const profile = newProfile();
    const tokens = { expires_in: 3_600, refresh_token: codeFor(profile) };
    const { browser } = await signInWith(system, { profile, tokens });
    const [account] = await rows.query(
      "select id, user_id from identity.account where account_id = $1",
      profile.sub,
    );
    const userId = String(account?.["user_id"]);
    const sent = sentFor({ id: String(account?.["id"]), userId, accountId: profile.sub });
    return { by: by === "operator" ? operator : (by ?? { browser }), sent };
  };

/** A user with a passkey beside the password. */
const withPasskey =
  (sentFor: (passkey: PasskeyView) => PreparedCall["sent"], by?: "operator"): Prepare =>
  async ({ system, operator }) => {
    const person = await signUp(system);
    const passkey = await registerPasskey(person.browser, newAuthenticator(system));
    return { by: by === "operator" ? operator : person, sent: sentFor(passkey) };
  };

const failedMessage: Prepare = async ({ system, operator }) => {
  const message = await createFailedMessage(system, operator);
  return { by: operator, sent: { params: { name: "mailer" }, body: { id: message.id } } };
};

/** A first run exists only while there is no admin. Signed-in users are not affected. */
const firstRun =
  (body: (token: string) => object): Prepare =>
  async ({ system, rows }) => {
    const dismiss = () => rows.query("update identity.user set role = 'user' where role = 'admin'");
    const admins = await rows.query("select id from identity.user where role = 'admin'");
    await dismiss();
    const token = (await openFirstRun(system.settings)) ?? "";
    for (const { id } of admins)
      await rows.query("update identity.user set role = 'admin' where id = $1", id);
    return { by: newClient(system), sent: { body: body(token) } };
  };

const impersonating: Prepare = async ({ system }) => {
  const [admin, person] = [await signUpAs(system, "admin"), await signUp(system)];
  await admin.browser.post("/admin/impersonate-user", { userId: person.user.id });
  return { by: admin, sent: {} };
};

/** A user with an authenticator app, in the session that turned it on. */
const withApp =
  (sent: PreparedCall["sent"] = {}): Prepare =>
  async ({ system }) => {
    const person = await signUp(system);
    await enableApp(person);
    return { by: person, sent };
  };

const trusting: Prepare = async ({ system }) => {
  const person = await signUp(system);
  const { backupCodes } = await enableApp(person);
  const browser = await beginChallenge(system, person);
  const body = { code: backupCodes[0], trustDevice: true };
  await browser.post("/two-factor/verify-backup-code", body);
  const listed = await browser.get("/two-factor/list-trusted-devices");
  const [device] = (await listed.json()) as { id: string }[];
  return { by: { browser }, sent: { body: { id: device?.id } } };
};

const ofProvider = { provider: "plain", callbackURL: "/home" };
const account = () => ({ name: "Ada", email: newEmail(), password });
const questions = { permissions: { user: ["list"] } };

/** A sign-up at a provider that waits for a required field. */
const withPendingSignUp: Prepare = async ({ system }) => {
  const by = newClient(system);
  const begun = await beginSignIn(by.browser, { ...ofProvider, provider: "incomplete" });
  const { state } = begun;
  await callCallback(begun, "incomplete", { code: codeFor(newProfile()), state });
  return { by, sent: { body: { plan: "gold" } } };
};

/** A new user who has proven a number. */
const withNumber = async ({ system, texts }: World) => {
  const person = await signUp(system);
  const phoneNumber = newNumber();
  await person.browser.post("/phone-number/send-otp", { phoneNumber });
  const code = await texts.codeTo(phoneNumber);
  const body = { phoneNumber, code, updatePhoneNumber: true };
  await person.browser.post("/phone-number/verify", body);
  return { person, phoneNumber };
};

/** A successful call of every operation of identity. A missing one does not compile. */
export const identityCalls: Record<keyof typeof operations.identity, Prepare> = {
  signUpEmail: byNobody(account),
  completeSignUp: withPendingSignUp,
  signInEmail: async ({ system }) => {
    const { email } = await signUp(system);
    return { by: newClient(system), sent: { body: { email, password } } };
  },
  signInUsername: async ({ system }) => {
    const by = newClient(system);
    const username = newEmail().replaceAll(/\W/g, "_");
    await by.browser.post("/sign-up/email", { ...account(), username });
    return { by: newClient(system), sent: { body: { username, password } } };
  },
  signInAnonymous: byNobody(() => ({})),
  deleteAnonymousUser: async ({ system }) => {
    const by = newClient(system);
    await by.browser.post("/sign-in/anonymous", {});
    return { by, sent: {} };
  },
  sendPhoneOtp: byNobody(() => ({ phoneNumber: newNumber() })),
  verifyPhoneNumber: async (world) => {
    const { person, phoneNumber } = await withNumber(world);
    await person.browser.post("/phone-number/send-otp", { phoneNumber });
    const code = await world.texts.codeTo(phoneNumber, 1);
    return { by: person, sent: { body: { phoneNumber, code } } };
  },
  signInPhoneNumber: async (world) => {
    const { phoneNumber } = await withNumber(world);
    return { by: newClient(world.system), sent: { body: { phoneNumber, password } } };
  },
  requestPhonePasswordReset: byNobody(() => ({ phoneNumber: newNumber() })),
  resetPhonePassword: async (world) => {
    const { person, phoneNumber } = await withNumber(world);
    await person.browser.post("/phone-number/request-password-reset", { phoneNumber });
    const otp = await world.texts.codeTo(phoneNumber, 1);
    return { by: person, sent: { body: { phoneNumber, otp, newPassword } } };
  },
  isUsernameAvailable: byNobody(() => ({ username: "somebody" })),
  signOut: bySomebody(),
  getSession: bySomebody(),
  refreshSession: bySomebody(),
  updateSession: bySomebody(() => ({ body: { device: "phone" } })),
  listActivity: bySomebody(),
  listSessions: bySomebody(),
  revokeSession: bySomebody(({ token }) => ({ body: { token } })),
  revokeSessions: bySomebody(),
  revokeOtherSessions: bySomebody(),
  sendVerificationEmail: bySomebody(({ email }) => ({ body: { email } })),
  verifyEmail: async (world) => {
    const person = await signUp(world.system);
    const { token } = await linkOf(world, person, "/send-verification-email");
    return { by: newClient(world.system), sent: { query: { token } } };
  },
  verifyEmailPost: async (world) => {
    const person = await signUp(world.system);
    const { token } = await linkOf(world, person, "/send-verification-email");
    return { by: newClient(world.system), sent: { body: { token } } };
  },
  sendVerificationOtp: byNobody(() => ({ email: newEmail(), type: "sign-in" })),
  signInEmailOtp: withCode("sign-in", ({ email, otp }) => ({ body: { email, otp } })),
  verifyEmailOtp: withCode("email-verification", ({ email, otp }) => ({ body: { email, otp } })),
  checkVerificationOtp: withCode("sign-in", ({ email, otp, type }) => ({
    body: { email, otp, type },
  })),
  requestPasswordResetOtp: bySomebody(({ email }) => ({ body: { email } })),
  forgetPasswordOtp: bySomebody(({ email }) => ({ body: { email } })),
  resetPasswordOtp: withCode("forget-password", ({ email, otp }) => ({
    body: { email, otp, password: newPassword },
  })),
  requestEmailChangeOtp: bySomebody(() => ({ body: { newEmail: newEmail() } })),
  changeEmailOtp: async ({ system }) => {
    const person = await signUp(system);
    const changed = newEmail();
    await person.browser.post("/email-otp/request-email-change", { newEmail: changed });
    return {
      by: person,
      sent: { body: { newEmail: changed, otp: await codeTo(system, changed) } },
    };
  },
  createVerificationOtp: about("service", ({ email }) => ({ body: { email, type: "sign-in" } })),
  signInMagicLink: byNobody(() => ({ email: newEmail() })),
  verifyMagicLink: withMagicLink((token) => ({ query: { token } })),
  verifyMagicLinkPost: withMagicLink((token) => ({ body: { token } })),
  generateOneTimeToken: bySomebody(),
  returnToApplication: bySomebody(() => ({ query: { callbackURL: tokenPage } })),
  verifyOneTimeToken: async ({ system }) => {
    const { browser } = await signUp(system);
    const answer = await browser.get("/one-time-token/generate");
    return { by: newClient(system), sent: { body: await answer.json() } };
  },
  listDeviceSessions: bySomebody(),
  setActiveDeviceSession: bySomebody(({ token }) => ({ body: { sessionToken: token } })),
  revokeDeviceSession: bySomebody(({ token }) => ({ body: { sessionToken: token } })),
  requestPasswordReset: bySomebody(({ email }) => ({ body: { email } })),
  forgetPassword: bySomebody(({ email }) => ({ body: { email } })),
  checkPasswordReset: withResetToken((token) => ({ body: { token } })),
  openPasswordReset: withResetToken((token) => ({
    params: { token },
    query: { callbackURL: "/reset" },
  })),
  resetPassword: withResetToken((token) => ({ body: { newPassword, token } })),
  changePassword: bySomebody(() => ({ body: { newPassword, currentPassword: password } })),
  verifyPassword: bySomebody(() => ({ body: { password } })),
  setPassword: withAccount(({ userId }) => ({ body: { userId, newPassword } }), "service"),
  updateUser: bySomebody(() => ({ body: { name: "Grace" } })),
  uploadPicture: bySomebody(() => ({ body: { picture: tinyPicture } })),
  getPicture: async ({ system }) => {
    const person = await signUp(system);
    const { image } = await expectOk(
      callOperation<{ image: string }>(person, operations.identity.uploadPicture, {
        body: { picture: tinyPicture },
      }),
    );
    return { by: person, sent: { params: { hash: image.slice(-43) } } };
  },
  changeEmail: bySomebody(() => ({ body: { newEmail: newEmail() } })),
  undoEmailChange: withUndoLink((token) => ({ query: { token } })),
  undoEmailChangePost: withUndoLink((token) => ({ body: { token } })),
  deleteUser: bySomebody(),
  deleteUserCallback: async (world) => {
    const person = await signUp(world.system);
    const { token } = await linkOf(world, person, "/delete-user", {});
    return { by: person, sent: { query: { token } } };
  },
  deleteUserCallbackPost: async (world) => {
    const person = await signUp(world.system);
    const { token } = await linkOf(world, person, "/delete-user", {});
    return { by: person, sent: { body: { token } } };
  },
  enableTwoFactor: bySomebody(() => ({ body: { password } })),
  disableTwoFactor: withApp({ body: { password } }),
  getTotpUri: withApp({ body: { password } }),
  verifyTotp: async ({ system }) => {
    const person = await signUp(system);
    const app = await prepareApp(person);
    return { by: person, sent: { body: { code: app.codeAt(0) } } };
  },
  sendTwoFactorCode: bySomebody(() => ({ body: {} })),
  verifyTwoFactorCode: async ({ system }) => {
    const person = await signUp(system);
    await person.browser.post("/two-factor/send-otp", {});
    const { text } = await system.smtp.waitForMail(person.email);
    return { by: person, sent: { body: { code: /\b\d{6}\b/.exec(text)?.[0] } } };
  },
  verifyBackupCode: async ({ system }) => {
    const person = await signUp(system);
    const { backupCodes } = await enableApp(person);
    return { by: person, sent: { body: { code: backupCodes[0] } } };
  },
  generateBackupCodes: withApp({ body: { password } }),
  readTwoFactorStatus: bySomebody(),
  listTrustedDevices: bySomebody(),
  revokeTrustedDevice: trusting,
  revokeTrustedDevices: withApp(),
  generateRegisterOptions: bySomebody(),
  verifyRegistration: async ({ system }) => {
    const person = await signUp(system);
    const options = await beginRegistration(person.browser);
    return { by: person, sent: { body: { response: newAuthenticator(system).create(options) } } };
  },
  generateAuthenticateOptions: byNobody(() => ({})),
  generateAuthenticateOptionsPost: byNobody(() => ({})),
  verifyAuthentication: async ({ system }) => {
    const authenticator = newAuthenticator(system);
    await registerPasskey((await signUp(system)).browser, authenticator);
    const by = newClient(system);
    const response = authenticator.get(await beginPasskeySignIn(by.browser));
    return { by, sent: { body: { response } } };
  },
  listUserPasskeys: bySomebody(),
  updatePasskey: withPasskey(({ id }) => ({ body: { id, name: "Key" } })),
  deletePasskey: withPasskey(({ id }) => ({ body: { id } })),
  adminListUserPasskeys: withPasskey(({ userId }) => ({ query: { userId } }), "operator"),
  adminRemoveUserPasskey: withPasskey(({ id, userId }) => ({ body: { id, userId } }), "operator"),
  listAccounts: bySomebody(),
  unlinkAccount: async ({ system }) => {
    const person = await signUp(system);
    const { state } = await beginSignIn(person.browser, { provider: "plain" }, "/link-social");
    const code = codeFor(newProfile({ email: person.email }));
    await person.browser.get(`/callback/plain?code=${code}&state=${state}`);
    return { by: person, sent: { body: { providerId: "plain" } } };
  },
  signInSocial: byNobody(() => ofProvider),
  signInOneTap: async ({ system, oauth }) => ({
    by: newClient(system),
    sent: { body: { idToken: await googleToken(oauth, newProfile()) } },
  }),
  openInAppBrowser: async ({ system }) => {
    const body = { provider: "plain", callbackURL: "myapp:///home" };
    const begun = await fetch(`${system.url}/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", "expo-origin": "myapp://" },
      body: JSON.stringify(body),
    });
    const { url } = (await begun.json()) as { url: string };
    return { by: newClient(system), sent: { query: { authorizationURL: url } } };
  },
  callback: callback("query"),
  callbackPost: callback("body"),
  oauthProxyCompletion: forwarded,
  oauthProxyCallback: forwarded,
  linkSocial: bySomebody(() => ({ body: ofProvider })),
  getAccessToken: withAccount(() => ({ body: { providerId: "plain" } })),
  refreshToken: withAccount(() => ({ body: { providerId: "plain" } })),
  getAccessTokenOf: withAccount(
    ({ userId }) => ({ body: { providerId: "plain", userId } }),
    "service",
  ),
  refreshTokenOf: withAccount(
    ({ userId }) => ({ body: { providerId: "plain", userId } }),
    "service",
  ),
  accountInfo: withAccount(({ accountId }) => ({ body: { accountId } })),
  readAccountInfo: withAccount(({ accountId }) => ({ query: { accountId } })),
  getToken: bySomebody(),
  getJwks: byNobody(() => ({})),
  adminSetRole: about("operator", ({ user }) => ({ body: { userId: user.id, role: "user" } })),
  adminCreateUser: ({ operator }) => ({ by: operator, sent: { body: account() } }),
  adminListUsers: byOperator(),
  adminListUserSessions: about("operator", ({ user }) => ({ body: { userId: user.id } })),
  adminBanUser: about("operator", ({ user }) => ({ body: { userId: user.id } })),
  adminUnbanUser: about("operator", ({ user }) => ({ body: { userId: user.id } })),
  adminImpersonateUser: async ({ system }) => {
    const [admin, person] = [await signUpAs(system, "admin"), await signUp(system)];
    return { by: admin, sent: { body: { userId: person.user.id } } };
  },
  adminCreateImpersonationLink: async ({ system }) => {
    const [admin, person] = [await signUpAs(system, "admin"), await signUp(system)];
    return { by: admin, sent: { body: { userId: person.user.id, reason: "a ticket" } } };
  },
  adminOpenImpersonationLink: async ({ system }) => {
    const [admin, person] = [await signUpAs(system, "admin"), await signUp(system)];
    const input = { userId: person.user.id, reason: "a ticket" };
    const answer = await admin.browser.post("/admin/create-impersonation-link", input);
    const { url } = (await answer.json()) as { url: string };
    const token = new URL(url).searchParams.get("token") ?? "";
    return { by: admin, sent: { query: { token } } };
  },
  adminStopImpersonating: impersonating,
  adminRevokeUserSession: about("operator", ({ token }) => ({ body: { sessionToken: token } })),
  adminRevokeUserSessions: about("operator", ({ user }) => ({ body: { userId: user.id } })),
  adminResetTwoFactor: about("operator", ({ user }) => ({ body: { userId: user.id } })),
  adminRemoveUser: about("operator", ({ user }) => ({ body: { userId: user.id } })),
  adminSetUserPassword: about("operator", ({ user }) => ({
    body: { userId: user.id, newPassword },
  })),
  adminHasPermission: byOperator({ body: questions }),
  adminListPermissions: byOperator(),
  adminGetUser: about("operator", ({ user }) => ({ params: { id: user.id } })),
  adminListDuplicates: about("operator", ({ user }) => ({ params: { id: user.id } })),
  adminMergeUsers: async (world) => ({
    by: world.operator,
    sent: { body: await mergeable(world) },
  }),
  adminUndoMerge: async (world) => {
    const answer = await world.operator.browser.post("/admin/merge-users", await mergeable(world));
    const { id } = (await answer.json()) as { id: string };
    return { by: world.operator, sent: { body: { id } } };
  },
  adminReadUser: about("operator", ({ user }) => ({ query: { id: user.id } })),
  adminUpdateUser: about("operator", ({ user }) => ({
    body: { userId: user.id, data: { name: "Grace" } },
  })),
  adminVerifyUserEmail: about("operator", ({ user }) => ({ params: { id: user.id } })),
  adminSendPasswordReset: about("operator", ({ user }) => ({ params: { id: user.id } })),
  adminInviteUser: ({ operator }) => ({
    by: operator,
    sent: { body: { email: newEmail(), name: "Ada" } },
  }),
  adminResendUserInvitation: async ({ operator }) => {
    const invited = { email: newEmail(), name: "Ada" };
    const answer = await operator.browser.post("/admin/invite-user", invited);
    const { user } = (await answer.json()) as { user: { id: string } };
    return { by: operator, sent: { params: { id: user.id } } };
  },
  adminSendVerification: about("operator", ({ user }) => ({ params: { id: user.id } })),
  adminReadSignInState: about("operator", ({ user }) => ({ params: { id: user.id } })),
  adminListRefusedSignIns: byOperator(),
  adminUnlinkAccount: withAccount(({ id, userId }) => ({ body: { id, userId } }), "operator"),
  adminSecureUser: about("operator", ({ user }) => ({ body: { userId: user.id } })),
  adminReadSignInMethods: byOperator(),
  adminReadIdentityStatistics: byOperator(),
  adminListSigningKeys: byOperator(),
  adminRotateSigningKeys: byOperator(),
  adminListIdentityAudit: byOperator(),
  adminListQueues: byOperator(),
  adminListFailedMessages: byOperator({ params: { name: "mailer" } }),
  adminRetryMessage: failedMessage,
  adminDiscardMessage: failedMessage,
  checkFirstRun: firstRun((token) => ({ token })),
  completeFirstRun: async (world) => {
    const call = await firstRun((token) => ({ token, ...account() }))(world);
    const dismiss = () =>
      world.rows.query("update identity.user set role = 'user' where role = 'admin'");
    return { ...call, first: dismiss };
  },
  createUser: () => ({ by: "service", sent: { body: account() } }),
  setRole: about("service", ({ user }) => ({ body: { userId: user.id, role: "user" } })),
  recordRateLimitReset: about("service", ({ user }) => ({
    body: { adminId: user.id, ipAddress: "192.0.2.1", client: { address: "192.0.2.2" } },
  })),
  mayActOn: about("service", ({ user }) => ({
    body: {
      userId: user.id,
      permission: { resource: "user", action: "list" },
      targetIds: [user.id],
    },
  })),
  hasPermission: about("service", ({ user }) => ({ body: { userId: user.id, ...questions } })),
  resolveSession: ofSystem(({ operator }) => ({ token: operator.token })),
  findRows: () => ({ by: "service", sent: { body: { model: "user", where: [], limit: 1 } } }),
  followUserRevisions: ofSystem(() => ({ after: null })),
  findUsers: ofSystem(({ operator }) => ({ ids: [operator.user.id] })),
  describeUsers: ofSystem(({ operator }) => ({ ids: [operator.user.id] })),
  chooseOrganization: ofSystem(({ operator }) => ({ token: operator.token, organizationId: null })),
  forgetOrganization: ofSystem(({ operator }) => ({
    organizationId: "none",
    userIds: [operator.user.id],
  })),
  findKeyOwner: ofSystem(({ operator }) => ({ userId: operator.user.id })),
  findGrantSubject: ofSystem(({ operator }) => ({ userId: operator.user.id, sessionId: null })),
  startDeviceSession: ofSystem(({ operator }) => ({
    userId: operator.user.id,
    accessEpoch: 0,
    authentication: {
      authenticatedAt: new Date().toISOString(),
      secondFactorAt: null,
      methods: ["password"],
    },
    address: "",
    userAgent: "a device",
  })),
};

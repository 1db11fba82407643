import { describe, expect, test } from "vitest";
import { plainWording } from "./plain-wording.fixture.ts";
import {
  apiKeyAddedMail,
  backupCodesGeneratedMail,
  backupCodeUsedMail,
  passkeyAddedMail,
  passkeyRefusedMail,
  passkeyRemovedMail,
  twoFactorDisabledMail,
  twoFactorEnabledMail,
  twoFactorLockedMail,
  twoFactorRequiredMail,
  twoFactorResetMail,
  webhookPausedMail,
} from "./security-notices.ts";
import type { Mail } from "./mail.ts";

const time = "2030-01-02T03:04:05.000Z";
const timeShown = "2 January 2030 at 03:04 UTC";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const about = { userId: "u1", email: "ada@example.com", name: "Ada" };
const passkey = { ...about, passkeyName: "YubiKey 5C (work)" };
const added = { ...passkey, address: "192.0.2.1", userAgent: firefox };

const newKey = {
  ...about,
  keyName: "Till",
  address: "192.0.2.1",
  userAgent: firefox,
  isOfOrganization: false,
  isByAdmin: false,
  opensSessions: true,
};

interface Notice {
  make: (appName: string, name: string) => Mail;
  states: string[];
  advises: string;
}

const changePassword = "change your password at Example";

const notices: Record<string, Notice> = {
  "a second factor turned on": {
    make: (appName, name) => twoFactorEnabledMail(plainWording("en", appName), { ...about, name }),
    states: ["of your account at Example was turned on"],
    advises: changePassword,
  },
  "a second factor turned off": {
    make: (appName, name) => twoFactorDisabledMail(plainWording("en", appName), { ...about, name }),
    states: ["of your account at Example was turned off"],
    advises: changePassword,
  },
  "a second factor removed by an admin": {
    make: (appName, name) => twoFactorResetMail(plainWording("en", appName), { ...about, name }),
    states: ["An administrator of Example removed the second factor"],
    advises: "contact the support of Example",
  },
  "a locked second factor": {
    make: (appName, name) =>
      twoFactorLockedMail(plainWording("en", appName), { ...about, name, lockedUntil: time }),
    states: [`locked until ${timeShown}`],
    advises: changePassword,
  },
  "a required second factor": {
    make: (appName, name) =>
      twoFactorRequiredMail(plainWording("en", appName), { ...about, name, requiredFrom: time }),
    states: [`at Example needs a second factor from ${timeShown} on`],
    advises: "Open Example as you usually do",
  },
  "a used backup code": {
    make: (appName, name) =>
      backupCodeUsedMail(plainWording("en", appName), { ...about, name, codesLeft: 9 }),
    states: ["A backup code of your account at Example was used", "9 backup codes are left."],
    advises: "create new backup codes",
  },
  "new backup codes": {
    make: (appName, name) =>
      backupCodesGeneratedMail(plainWording("en", appName), { ...about, name }),
    states: ["New backup codes were created for your account at Example"],
    advises: changePassword,
  },
  "an added passkey": {
    make: (appName, name) => passkeyAddedMail(plainWording("en", appName), { ...added, name }),
    states: ["“YubiKey 5C (work)”", "by Firefox on Linux at the address 192.0.2.1"],
    advises: "remove the passkey at Example",
  },
  "a new API key": {
    make: (appName, name) => apiKeyAddedMail(plainWording("en", appName), { ...newKey, name }),
    states: ["“Till” was created for your account", "by Firefox on Linux", "can act as you"],
    advises: "delete the key at Example",
  },
  "a new API key of an organization": {
    make: (appName, name) =>
      apiKeyAddedMail(plainWording("en", appName), { ...newKey, name, isOfOrganization: true }),
    states: ["“Till” was created for an organization at Example"],
    advises: "delete the key at Example",
  },
  "a new API key by an admin": {
    make: (appName, name) =>
      apiKeyAddedMail(plainWording("en", appName), { ...newKey, name, isByAdmin: true }),
    states: ["“Till” was created for your account at Example, by an administrator."],
    advises: "delete the key at Example",
  },
  "a removed passkey": {
    make: (appName, name) => passkeyRemovedMail(plainWording("en", appName), { ...passkey, name }),
    states: ["“YubiKey 5C (work)” was removed from your account at Example"],
    advises: changePassword,
  },
  "a refused passkey": {
    make: (appName, name) => passkeyRefusedMail(plainWording("en", appName), { ...passkey, name }),
    states: ["the passkey “YubiKey 5C (work)” may have been copied"],
    advises: "Remove this passkey at Example",
  },
};

describe.each(Object.entries(notices))("the notice of %s", (_what, { make, states, advises }) => {
  test("names the user, the product and the event, and advises what to do", () => {
    const mail = make("Example", "Ada");
    expect(mail.subject).toContain("Example");
    for (const body of [mail.text, mail.html])
      for (const part of ["Hello Ada,", ...states, advises]) expect(body).toContain(part);
  });

  /** Attack: mails that train users to follow links. Users in doubt open the product themselves. */
  test("contains no link", () => {
    const mail = make("Example", "Ada");
    expect(mail.link).toBeUndefined();
    expect(mail.text + mail.html).not.toMatch(/href|:\/\//);
  });

  /** Attack: a "name" that puts a stranger's words into our mail. */
  test("leaves out a name that could carry a link", () => {
    const mail = make("Example", "win at evil.example");
    expect(mail.text + mail.html).not.toContain("evil.example");
  });

  test("escapes the product's name in the HTML", () => {
    expect(make("<script>x</script>", "Ada").html).not.toContain("<script>");
  });
});

test.each([
  [0, "No backup codes are left."],
  [1, "1 backup code is left."],
  [2, "2 backup codes are left."],
])("counts %i remaining backup codes", (codesLeft, text) => {
  expect(backupCodeUsedMail(plainWording("en", "Example"), { ...about, codesLeft }).text).toContain(
    text,
  );
});

/** Attack: the description and the URL of a webhook come from a member, and the mail from the product. */
describe("the notice of a paused webhook", () => {
  const mailOf = (description: string) =>
    webhookPausedMail(plainWording("en", "Example"), {
      ...about,
      url: "https://hooks.example.com:8443/win-a-prize?call=0800",
      description,
      failingSince: time,
    });

  test.each(["call 0800 555 0100", "win at evil.example", "a\nb", "<b>x</b>", ""])(
    "names only the host beside the description %j",
    (description) => {
      const { subject, text, html } = mailOf(description);
      expect(subject).toBe("Events to hooks.example.com:8443 are paused");
      expect(text + html).not.toMatch(/win|0800|<b>/);
    },
  );

  test("names a harmless description with the host", () => {
    const { subject, text } = mailOf("Till (north)");
    expect(subject).toBe("Events to Till (north) are paused");
    expect(text).toContain("Till (north) (hooks.example.com:8443)");
  });
});

/** Attack: a passkey's name, the user agent and, behind a proxy, the address come from the person who adds it. */
describe("leaves out of the notice of an added passkey", () => {
  const textOf = (over: Partial<typeof added>) =>
    passkeyAddedMail(plainWording("en", "Example"), { ...added, ...over }).text;

  test.each(["call 0800 555 0100", "win at evil.example", "a\nb", "<b>x</b>", ""])(
    "the passkey's name %j",
    (passkeyName) => {
      expect(textOf({ passkeyName })).toContain("\n\nA passkey was added");
    },
  );

  test("an unknown user agent", () => {
    expect(textOf({ userAgent: "win at evil.example" })).toContain("by an unknown browser at");
  });

  test("text around a known user agent", () => {
    const text = textOf({ userAgent: `${firefox} win at evil.example` });
    expect(text).toContain("by Firefox on Linux at");
    expect(text).not.toContain("evil");
  });

  test.each(["", "evil.example", "192.0.2.1 evil"])("the address %j", (address) => {
    expect(textOf({ address })).toContain("by Firefox on Linux.");
  });
});

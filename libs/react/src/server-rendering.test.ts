import { createElement, Fragment, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import {
  LatchkeyProvider,
  type LatchkeyProviderProps,
  OrganizationSwitcher,
  type SignedInSession,
  SignedIn,
  SignedOut,
  SignInButton,
  type User,
  UserButton,
  useUser,
} from "./index.ts";

const session = { id: "session1", userId: "user1" } as SignedInSession["session"];
const user = { id: "user1", name: "Ada Lovelace", email: "ada@example.com", image: null } as User;

const Greeting = () => createElement("b", {}, useUser<{ plan?: string }>()?.name ?? "nobody");

const page = createElement(
  Fragment,
  {},
  createElement(SignedIn, {}, "in"),
  createElement(SignedOut, {}, "out"),
  createElement(UserButton),
  createElement(OrganizationSwitcher),
  createElement(Greeting),
);

const render = (children: ReactNode, own: Partial<LatchkeyProviderProps> = {}) =>
  renderToString(
    createElement(
      LatchkeyProvider,
      { url: "https://auth.example.com/api/auth/", ...own },
      children,
    ),
  );

describe("a page rendered by a server", () => {
  test("shows neither state while the session is not known", () => {
    expect(render(page)).toBe("<b>nobody</b>");
  });

  test("shows the user that the server found", () => {
    const shown = render(page, { initialSession: { session, user } });
    expect(shown).toMatch(/^in<div [^>]*class="latchkey-user-button"/);
    expect(shown).toContain('title="Account: Ada Lovelace"');
    expect(shown).toContain("<b>Ada Lovelace</b>");
    expect(shown).not.toContain("out");
  });

  test("shows that nobody is signed in", () => {
    expect(render(page, { initialSession: null })).toBe("out<b>nobody</b>");
  });
});

describe("the sign-in button", () => {
  const target = "https://app.example.com/a?b=c#d";
  test.each([
    [{}, {}, "https://auth.example.com/account/sign-in"],
    [
      {},
      { redirectTo: target },
      `https://auth.example.com/account/sign-in?redirect_to=${encodeURIComponent(target)}`,
    ],
    [{ accountPath: "/me/" }, {}, "https://auth.example.com/me/sign-in"],
    [{ url: "/api/auth" }, {}, "/account/sign-in"],
  ])("with %j and %j leads to %s", (own, props, href) => {
    expect(render(createElement(SignInButton, props, "Log in"), own)).toBe(
      `<a data-latchkey="sign-in-button" class="latchkey-sign-in-button" href="${href}">Log in</a>`,
    );
  });

  test("keeps the classes and attributes of the application", () => {
    expect(render(createElement(SignInButton, { className: "big", id: "enter" }))).toContain(
      'id="enter" class="latchkey-sign-in-button big"',
    );
  });
});

test("a hook outside of the provider names the missing component", () => {
  expect(() => renderToString(createElement(Greeting))).toThrow("<LatchkeyProvider>");
});

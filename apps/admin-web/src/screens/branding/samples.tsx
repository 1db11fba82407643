import type { Look, MailLook } from "@latchkey/contracts";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { escapeHtml } from "@latchkey/contracts/escape-html.ts";
import { footLinks, ownTextIn } from "@latchkey/contracts/look.ts";
import {
  frameMail,
  mailAddress,
  mailButton,
  mailParagraph,
  smallMailText,
} from "@latchkey/contracts/mail-frame.ts";
import { loadMailTexts } from "@latchkey/i18n/sample-mails.ts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import { formatMessage, type MessageValues } from "@latchkey/i18n/message.ts";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { lazyValue } from "@latchkey/ui/components/lazy-value.ts";
import { Logo } from "@latchkey/ui/components/logo.tsx";
import { SignedOutPage } from "@latchkey/ui/components/signed-out-page.tsx";
import {
  ChevronsUpDown,
  CircleAlert,
  CircleCheck,
  House,
  Menu,
  MonitorSmartphone,
  ShieldCheck,
  User,
} from "lucide-react";
import { use } from "react";
import type { Appearance } from "./draft.ts";
import { language, t } from "../../texts.ts";

export interface SampleProps {
  appearance: Appearance;
}

// Names are the same in every language.
const sampleOrganization = "Analysts";
const sampleEmail = "ada@example.com";
const address = "https://auth.example.com/verify?token=6f1c";

const Foot = ({ look }: { look: Look }) => (
  <footer className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-xs text-muted">
    {footLinks(look, language, {
      terms: t("branding.sample.terms"),
      privacy: t("branding.sample.privacy"),
    }).map(({ label, url }) => (
      <span key={`${label} ${url}`}>{label}</span>
    ))}
    {look.supportAddress && <span>{t("branding.sample.support")}</span>}
    <span>{languageFacts[language].name}</span>
  </footer>
);

const SignInSample = ({ appearance: { look } }: SampleProps) => (
  <SignedOutPage
    branding={look}
    texts={{
      panelTitle: ownTextIn(look.texts, "panelTitle", language),
      panelText: ownTextIn(look.texts, "panelText", language),
      note: ownTextIn(look.texts, "note", language),
    }}
    title={look.texts[language]?.signInTitle ?? t("branding.sample.title", { name: look.name })}
    lead={look.texts[language]?.signInText}
    aside={
      <>
        {t("branding.sample.noAccount")}{" "}
        <span className="font-medium text-link">{t("branding.sample.signUp")}</span>
      </>
    }
    foot={<Foot look={look} />}
  >
    <form className="flex flex-col gap-4">
      <TextField label={t("common.email")} defaultValue={sampleEmail} />
      <TextField label={t("common.password")} type="password" defaultValue="correct horse" />
      <Button kind="primary">{t("branding.sample.signIn")}</Button>
      <Button>{t("branding.sample.mailLink")}</Button>
    </form>
  </SignedOutPage>
);

const screens = [
  ["overview", House],
  ["profile", User],
  ["security", ShieldCheck],
  ["sessions", MonitorSmartphone],
] as const;

const checks = [
  {
    name: t("common.email"),
    state: t("users.emailStates.verified"),
    Icon: CircleCheck,
    style: "text-success",
  },
  {
    name: t("webhooks.topics.passkey"),
    state: t("branding.sample.noPasskey"),
    Icon: CircleAlert,
    style: "text-warning",
  },
];

const CheckUpSample = () => (
  <Card title={t("branding.sample.checkUp")}>
    <p className="mb-4 text-muted">{t("branding.sample.open", { count: 1 })}</p>
    <ul className="-mb-2 flex flex-col divide-y">
      {checks.map(({ name, state, Icon, style }) => (
        <li key={name} className="flex min-h-13 items-center gap-3 py-1.5">
          <Icon className={classNames("size-5 shrink-0", style)} />
          <span className="flex-1 font-medium">{name}</span>
          <span className="text-sm text-muted">{state}</span>
        </li>
      ))}
    </ul>
  </Card>
);

/** The first screen of a signed-in user, with the header. */
const AccountSample = ({ appearance: { look } }: SampleProps) => (
  <>
    <header className="border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-5xl items-center gap-2 px-4">
        <Menu className="size-4 sm:hidden" />
        <span className="truncate text-lg font-semibold">
          <Logo name={look.name} logo={look.logo} className="h-7 max-w-40" />
        </span>
        <div className="ms-auto flex items-center gap-1">
          <Button kind="quiet" className="min-w-10 px-1.5">
            <Avatar name={sampleOrganization} isSquare className="size-7" />
            <span className="max-sm:sr-only">{sampleOrganization}</span>
            <ChevronsUpDown className="max-sm:hidden" />
          </Button>
          <Button kind="quiet" className="min-w-10 rounded-full px-1">
            <Avatar name="Ada Lovelace" className="size-7" />
          </Button>
        </div>
      </div>
    </header>
    <div className="mx-auto flex max-w-5xl gap-8 px-4 py-6 sm:py-8">
      <ul className="hidden w-44 shrink-0 flex-col gap-1 sm:flex">
        {screens.map(([name, Icon]) => (
          <li
            key={name}
            className={classNames(
              "flex h-9 items-center gap-2.5 rounded-md px-3 font-medium",
              name === "overview" ? "bg-pressed text-ink" : "text-muted",
            )}
          >
            <Icon className="size-4 shrink-0" />
            {t(`branding.sample.screens.${name}`)}
          </li>
        ))}
      </ul>
      <main className="flex min-w-0 flex-1 flex-col gap-6">
        <div>
          <h1 className="text-xl font-semibold">{t("shell.yourAccount")}</h1>
          <p className="mt-1 text-muted">
            {t("branding.sample.signedInAs", { email: sampleEmail })}
          </p>
        </div>
        <CheckUpSample />
        <div className="flex flex-wrap items-center gap-3">
          <Button kind="primary">{t("branding.sample.addPasskey")}</Button>
          <span className="font-medium text-link">{t("branding.sample.allActivity")}</span>
        </div>
      </main>
    </div>
  </>
);

/** The icon that a page has without one in its look. */
const usualIcon = (): string | undefined =>
  document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;

/** The tab of the browser over a page. */
export const TabSample = ({ appearance: { look } }: SampleProps) => (
  <div className="flex h-10 items-end bg-sunken px-3">
    <div className="flex h-8 max-w-60 items-center gap-2 rounded-t-md bg-surface px-3 text-sm">
      <img src={look.favicon || usualIcon()} alt="" className="size-4 shrink-0" />
      <span className="truncate">{look.name}</span>
    </div>
  </div>
);

/** The texts of mails. English takes the place of a language that cannot be loaded. */
export const mailTexts = lazyValue(() => loadMailTexts(language).catch(() => loadMailTexts("en")));

/** Returns the HTML of a mail as the mailer writes it, with its look. */
export const sampleMail = (
  { look, mailLogo }: Appearance,
  mails: Awaited<ReturnType<typeof mailTexts>>,
): string => {
  const { name, colors, radius, supportAddress } = look;
  const say = (text: keyof typeof mails, values: MessageValues = {}): string =>
    formatMessage(language, mails[text], { app: name, ...values });
  const paragraphOf = (text: string): string => mailParagraph(escapeHtml(text));
  const mail: MailLook = {
    language,
    direction: languageFacts[language].direction,
    appName: name,
    colors,
    branding: { logo: mailLogo, radius },
  };
  return frameMail(mail, {
    subject: say("verification.subject"),
    body: [
      paragraphOf(say("greeting.named", { name: "Ada" })),
      paragraphOf(say("verification.lead")),
      mailButton(mail, { text: say("verification.action"), url: address }),
      smallMailText(`${say("link.fallback")}<br>${mailAddress(mail, address)}`),
      smallMailText(escapeHtml(say("verification.footer"))),
    ],
    foot: {
      support: supportAddress && say("foot.support", { address: showEmail(supportAddress) }),
      links: footLinks(look, language, { terms: say("foot.terms"), privacy: say("foot.privacy") }),
    },
  });
};

/** A mail in the frame. Its inline styles are set through the DOM, because the policy forbids the attribute. */
const MailSample = ({ appearance }: SampleProps) => {
  const html = sampleMail(appearance, use(mailTexts()));
  const show = (place: HTMLDivElement | null): void => {
    if (!place) return;
    const mail = new DOMParser().parseFromString(
      html.replaceAll(/<style>.*?<\/style>/gs, "").replaceAll(" style=", " data-style="),
      "text/html",
    );
    place.replaceChildren(...mail.body.childNodes);
    for (const element of place.querySelectorAll<HTMLElement>("[data-style]"))
      element.style.cssText = element.dataset["style"] ?? "";
  };
  return <div key={html} ref={show} className="page min-h-dvh bg-[#f8f9fb]" />;
};

/** The pages of a preview, in the language of this page. */
export const samples = { "sign-in": SignInSample, account: AccountSample, mail: MailSample };

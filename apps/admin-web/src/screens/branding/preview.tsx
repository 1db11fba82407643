import type { Look, MailLook } from "@latchkey/contracts";
import { pageStyle, textIn } from "@latchkey/contracts/look.ts";
import {
  frameMail,
  mailAddress,
  mailButton,
  mailParagraph,
  smallMailText,
} from "@latchkey/contracts/mail-frame.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { FrontPage, Logo } from "@latchkey/ui/components/front-page.tsx";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

export const previewPages = ["sign-in", "account", "mail"] as const;

interface PreviewProps {
  look: Look;
  /** The style sheet of the installation. */
  css: string;
  page: (typeof previewPages)[number];
  theme: "light" | "dark";
  isPhone: boolean;
}

/** The sizes of controls and text that the account web sets. */
const accountSizes =
  ":root{--ui-control:2.5rem;--ui-text:.9375rem}@media(width<40rem){:root{--ui-control:2.75rem}}";

const address = "https://auth.example.com/verify?token=6f1c";

const firstText = (look: Look, name: keyof NonNullable<Look["texts"]["en"]>): string | undefined =>
  textIn(
    Object.fromEntries(
      Object.entries(look.texts).flatMap(([language, texts]) =>
        texts[name] === undefined ? [] : [[language, texts[name]]],
      ),
    ),
    "en",
  ) || undefined;

const Foot = ({ look }: { look: Look }) => (
  <footer className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-xs text-muted">
    {look.termsURL && <span>Terms</span>}
    {look.privacyURL && <span>Privacy</span>}
    {look.links.map(({ text, url }) => (
      <span key={url}>{textIn(text, "en")}</span>
    ))}
    {look.supportAddress && <span>Support</span>}
    <span>English</span>
  </footer>
);

const SignInSample = ({ look }: { look: Look }) => (
  <FrontPage
    branding={{ ...look, hasGround: look.ground !== undefined }}
    texts={{
      panelTitle: firstText(look, "panelTitle"),
      panelText: firstText(look, "panelText"),
      note: firstText(look, "note"),
    }}
    title={look.texts.en?.signInTitle ?? `Sign in to ${look.name}`}
    lead={look.texts.en?.signInText}
    aside={
      <>
        No account? <span className="font-medium text-link">Create account</span>
      </>
    }
    foot={<Foot look={look} />}
  >
    <form className="flex flex-col gap-4">
      <TextField label="Email" defaultValue="ada@example.com" />
      <TextField label="Password" type="password" defaultValue="correct horse" />
      <Button kind="primary">Sign in</Button>
      <Button>Email me a link</Button>
    </form>
  </FrontPage>
);

const AccountSample = ({ look }: { look: Look }) => (
  <>
    <header className="border-b bg-surface">
      <div className="mx-auto flex h-14 max-w-5xl items-center justify-between gap-3 px-4">
        <span className="text-lg font-semibold">
          <Logo name={look.name} logo={look.logo} className="h-7 max-w-40" />
        </span>
        <span className="text-muted">Sign out</span>
      </div>
    </header>
    <main className="mx-auto flex max-w-3xl flex-col gap-4 p-4">
      <h1 className="text-xl font-semibold">Profile</h1>
      <Card title="Your name">
        <div className="flex flex-col gap-4">
          <TextField label="Name" defaultValue="Ada Lovelace" />
          <div className="flex gap-2">
            <Button kind="primary">Save</Button>
            <Button>Cancel</Button>
          </div>
          <p>
            Your email is verified. <span className="font-medium text-link">Change email</span>
          </p>
        </div>
      </Card>
    </main>
  </>
);

const sampleMail = ({ name, logo, colors, radius }: Look): string => {
  const mail: MailLook = {
    language: "en",
    direction: "ltr",
    appName: name,
    colors,
    branding: { logo, radius },
  };
  return frameMail(mail, {
    subject: "Verify your email",
    body: [
      mailParagraph("Hello Ada,"),
      mailParagraph("confirm that this address is yours."),
      mailButton(mail, { text: "Verify email", url: address }),
      smallMailText(
        `If the button does not work, open this address:<br>${mailAddress(mail, address)}`,
      ),
    ],
    feet: [],
  });
};

const mailStyle = /<style>.*?@media\(prefers-color-scheme:dark\)\{(.*)\}<\/style>/s;

/** A mail in the frame. Its inline styles are set through the DOM, because the policy forbids the attribute. */
const MailSample = ({ look }: { look: Look }) => {
  const html = sampleMail(look);
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

const samples = { "sign-in": SignInSample, account: AccountSample, mail: MailSample };

const styleOf = ({ look, css, page, theme }: PreviewProps): string => {
  if (page !== "mail") return `${pageStyle(look)}${accountSizes}${css}`;
  const dark = theme === "dark" ? (mailStyle.exec(sampleMail(look))?.[1] ?? "") : "";
  // Mail programs have no style sheet of ours, which joins the borders of cells.
  return `table{border-collapse:separate}${dark}`;
};

/** Gives the frame the style sheets of this page, whose classes its content has. */
const copyStyles = (frame: Document): void => {
  for (const link of document.querySelectorAll('link[rel="stylesheet"]'))
    frame.head.append(frame.importNode(link));
};

/** Gives the frame a look. The policy of its page allows style sheets that scripts make. */
const applyStyle = (page: Document, { style, theme }: { style: string; theme: string }): void => {
  const view = page.defaultView;
  if (!view) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(style);
  page.adoptedStyleSheets = [sheet];
  page.documentElement.dataset["theme"] = theme;
};

/** A page in a frame of its own, so that its width decides about its layout. */
const Frame = ({
  style,
  theme,
  children,
}: {
  style: string;
  theme: string;
  children: ReactNode;
}) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [root, setRoot] = useState<HTMLElement>();
  useEffect(() => {
    if (root) applyStyle(root.ownerDocument, { style, theme });
  }, [root, style, theme]);
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- the policy of its page allows no scripts and no forms
    <iframe
      ref={frame}
      title="Preview"
      src={`${pageFacts.basePath}/look/preview`}
      tabIndex={-1}
      className="size-full"
      onLoad={() => {
        const page = frame.current?.contentDocument;
        if (!page) return;
        copyStyles(page);
        setRoot(page.getElementById("root") ?? undefined);
      }}
    >
      {root && createPortal(<div inert>{children}</div>, root)}
    </iframe>
  );
};

/** The sizes of the windows that are shown, in pixels. */
const sizes = { phone: { width: 390, height: 780 }, wide: { width: 1280, height: 800 } };

/** Returns the width of an element that it follows. */
const useWidth = () => {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!place) return undefined;
    const observer = new ResizeObserver(() => setWidth(place.clientWidth));
    observer.observe(place);
    return () => observer.disconnect();
  }, [place]);
  return { setPlace, width };
};

/** Shows a page or a mail with a look, as its reader would see it, as large as there is room for it. Nothing in it works. */
export const Preview = (props: PreviewProps) => {
  const { look, page, theme, isPhone } = props;
  const Sample = samples[page];
  const { setPlace, width } = useWidth();
  const size = sizes[isPhone ? "phone" : "wide"];
  const scale = Math.min(1, width / size.width);
  return (
    <div ref={setPlace} className="overflow-hidden rounded-md bg-sunken">
      <div
        className="mx-auto overflow-hidden border"
        style={{ width: size.width * scale, height: size.height * scale }}
      >
        <div className="origin-top-left" style={{ ...size, transform: `scale(${scale})` }}>
          <Frame style={styleOf(props)} theme={theme}>
            <Sample look={look} />
          </Frame>
        </div>
      </div>
    </div>
  );
};

import { classNames } from "@latchkey/ui/components/class-names.ts";
import { CircleCheck, Mail, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { facts } from "../facts.ts";
import { useTranslation } from "../languages.ts";
import { LanguageChoice } from "./language-choice.tsx";

const { branding } = facts;

const Brand = () =>
  branding.logo ? (
    <img src={branding.logo} alt={branding.name} className="mx-auto h-10 max-w-48 object-contain" />
  ) : (
    <p className="text-center text-lg font-semibold">{branding.name}</p>
  );

const linkStyle =
  "inline-flex items-center justify-center underline-offset-2 hover:text-ink hover:underline max-sm:min-h-10 max-sm:min-w-10";

const Footer = () => {
  const t = useTranslation("page");
  const { termsURL, privacyURL, supportAddress } = branding;
  return (
    <footer className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-xs text-muted">
      {termsURL && (
        <a href={termsURL} className={linkStyle}>
          {t("terms")}
        </a>
      )}
      {privacyURL && (
        <a href={privacyURL} className={linkStyle}>
          {t("privacy")}
        </a>
      )}
      {supportAddress && (
        <a href={`mailto:${supportAddress}`} className={linkStyle}>
          {t("support")}
        </a>
      )}
      <LanguageChoice />
    </footer>
  );
};

/**
 * Takes the focus on a new page or step whose form takes none, because the control that had it is gone. Screen readers then read on from
 * there. Give it a key for each title.
 */
const Heading = ({ children }: { children: string }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold text-balance outline-none">
      {children}
    </h1>
  );
};

const outcomes = {
  done: { Icon: CircleCheck, style: "bg-success-soft text-success" },
  failed: { Icon: TriangleAlert, style: "bg-warning-soft text-warning" },
  mailed: { Icon: Mail, style: "bg-accent-soft text-link" },
} as const;

/** Shows how it went at a glance. The title says it in words. */
const OutcomeIcon = ({ outcome }: { outcome: keyof typeof outcomes }) => {
  const { Icon, style } = outcomes[outcome];
  return (
    <span
      aria-hidden="true"
      className={classNames("mx-auto mb-2 grid size-12 place-items-center rounded-full", style)}
    >
      <Icon className="size-6" />
    </span>
  );
};

interface CardPageProps {
  title: string;
  /** The page only says how something went, and leads on. */
  outcome?: keyof typeof outcomes | undefined;
  /** A sentence below the title. */
  lead?: ReactNode;
  children?: ReactNode;
  /** The way to a related page, below the card's content. */
  aside?: ReactNode;
}

/** The layout of all pages for signed-out users: one centred card. */
export const CardPage = ({ title, outcome, lead, children, aside }: CardPageProps) => (
  <div className="flex min-h-dvh flex-col items-center justify-center gap-6 px-5 py-8 sm:py-12">
    <title>{`${title} – ${branding.name}`}</title>
    <main className="flex w-full max-w-[25rem] flex-col gap-6 rounded-lg border bg-surface px-6 py-8 shadow-md max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 max-sm:shadow-none sm:px-10">
      <Brand />
      <div className="flex flex-col gap-1.5 text-center">
        {outcome && <OutcomeIcon outcome={outcome} />}
        <Heading key={title}>{title}</Heading>
        {lead && <div className="break-words text-pretty text-muted">{lead}</div>}
      </div>
      {children}
      {aside && <div className="text-center text-muted">{aside}</div>}
    </main>
    <Footer />
  </div>
);

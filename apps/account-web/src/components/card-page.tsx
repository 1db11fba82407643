import { footLinks, ownTextIn } from "@latchkey/contracts/look.ts";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { SignedOutPage } from "@latchkey/ui/components/signed-out-page.tsx";
import { CircleCheck, Mail, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { facts } from "../facts.ts";
import { shownLanguage, useTranslation } from "../languages.ts";
import { LanguageChoice } from "./language-choice.tsx";

const { branding } = facts;

const linkStyle =
  "inline-flex items-center justify-center underline-offset-2 hover:text-ink hover:underline max-sm:min-h-10 max-sm:min-w-10";

const Footer = () => {
  const t = useTranslation("page");
  const { supportAddress } = branding;
  const links = footLinks(branding, shownLanguage(), { terms: t("terms"), privacy: t("privacy") });
  if (supportAddress) links.push({ label: t("support"), url: `mailto:${supportAddress}` });
  return (
    <footer className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-xs text-muted">
      {links.map(({ label, url }) => (
        <a key={`${label} ${url}`} href={url} className={linkStyle}>
          {label}
        </a>
      ))}
      <LanguageChoice />
    </footer>
  );
};

/** Returns a text of the installation in the language that is shown, if it has one. */
const ownText = (name: keyof NonNullable<(typeof branding.texts)["en"]>): string | undefined =>
  branding.texts[shownLanguage()]?.[name];

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
  /** The page whose title and sentence the installation may replace by its own. */
  page?: "signIn" | "signUp";
}

/** The page of a signed-out user. */
export const CardPage = ({ title, outcome, lead, children, aside, page }: CardPageProps) => {
  const shownTitle = (page && ownText(`${page}Title`)) ?? title;
  return (
    <>
      <title>{`${shownTitle} – ${branding.name}`}</title>
      <SignedOutPage
        branding={branding}
        texts={{
          panelTitle: ownTextIn(branding.texts, "panelTitle", shownLanguage()),
          panelText: ownTextIn(branding.texts, "panelText", shownLanguage()),
          note: ownTextIn(branding.texts, "note", shownLanguage()),
        }}
        sign={outcome && <OutcomeIcon outcome={outcome} />}
        title={shownTitle}
        lead={(page && ownText(`${page}Text`)) ?? lead}
        aside={aside}
        foot={<Footer />}
      >
        {children}
      </SignedOutPage>
    </>
  );
};

import type { AccountWebFacts } from "@latchkey/contracts";
import { type ReactNode, useEffect, useRef } from "react";
import { Logo } from "./logo.tsx";

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

/** The texts beside and below the content of a card. */
export interface SignedOutTexts {
  panelTitle?: string | undefined;
  panelText?: string | undefined;
  note?: string | undefined;
}

/** Stands on the background of the look, which the style sheet of the look paints. */
const Panel = ({ panelTitle, panelText }: SignedOutTexts) => (
  <aside
    data-part="panel"
    className="fixed inset-y-0 start-0 hidden w-1/2 flex-col justify-end overflow-y-auto p-10 lg:flex"
  >
    {(panelTitle ?? panelText) && (
      <div className="flex max-w-xl flex-col gap-2 rounded-lg bg-(--background-veil) p-6 text-(--background-ink)">
        {panelTitle && <p className="text-2xl font-semibold text-balance">{panelTitle}</p>}
        {panelText && <p className="text-lg text-pretty">{panelText}</p>}
      </div>
    )}
  </aside>
);

interface SignedOutPageProps {
  branding: Pick<AccountWebFacts["branding"], "layout" | "logo" | "name">;
  texts: SignedOutTexts;
  /** Stands above the title. */
  sign?: ReactNode;
  title: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  children?: ReactNode;
  /** The way to a related page, below the card's content. */
  aside?: ReactNode;
  /** The links below the card. */
  foot: ReactNode;
}

/**
 * The layout of all pages for signed-out users: one centred card, or a panel beside the form on wide screens. The style sheet of a look
 * changes the parts, which it addresses by `data-part`, as that of an installation does. So the outline of the page has the look as well.
 */
export const SignedOutPage = ({
  branding: { name, logo, layout },
  texts,
  sign,
  title,
  lead,
  children,
  aside,
  foot,
}: SignedOutPageProps) => (
  <div
    data-part="page"
    className="flex min-h-dvh flex-col items-center justify-center gap-6 px-5 py-8 sm:py-12"
  >
    <main
      data-part="card"
      className="flex w-full max-w-[25rem] flex-col gap-6 rounded-lg border bg-surface px-6 py-8 shadow-md max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 max-sm:shadow-none sm:px-10"
    >
      <div data-part="brand" className="text-center text-lg font-semibold">
        <Logo name={name} logo={logo} className="mx-auto h-10 max-w-48" />
      </div>
      <div data-part="title" className="flex flex-col gap-1.5 text-center">
        {sign}
        <Heading key={title}>{title}</Heading>
        {lead && <div className="break-words text-pretty text-muted">{lead}</div>}
      </div>
      {children}
      {aside && <div className="text-center text-muted">{aside}</div>}
      {texts.note && (
        <p data-part="note" className="text-center text-xs text-pretty text-muted">
          {texts.note}
        </p>
      )}
    </main>
    <div data-part="foot">{foot}</div>
    {layout === "split" && <Panel {...texts} />}
  </div>
);

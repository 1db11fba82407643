import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

interface Tab {
  readonly value: string;
  readonly label: string;
  readonly content: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (value: string) => void;
}

/** Tabs, of which only the open one is rendered. Keep the open tab in the address of the page. */
export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => (
  <Base.Root
    value={value}
    onValueChange={(chosen: string) => onChange(chosen)}
    className="flex min-h-0 flex-1 flex-col"
  >
    <Base.List aria-label={label} className="flex shrink-0 gap-1 overflow-x-auto border-b">
      {tabs.map((tab) => (
        <Base.Tab
          key={tab.value}
          value={tab.value}
          className="-mb-px h-10 border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-ink data-active:border-link data-active:text-ink"
        >
          {tab.label}
        </Base.Tab>
      ))}
    </Base.List>
    {tabs.map((tab) => (
      <Base.Panel
        key={tab.value}
        value={tab.value}
        className="flex min-h-0 flex-1 flex-col pt-4 outline-offset-4"
      >
        {tab.value === value && tab.content}
      </Base.Panel>
    ))}
  </Base.Root>
);

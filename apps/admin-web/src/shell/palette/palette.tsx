import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { useState } from "react";
import { backdropStyle, dialogStyle } from "@latchkey/ui/components/dialog-style.ts";
import { classNames } from "@latchkey/ui/components/class-names.ts";
import { popupItemStyle } from "@latchkey/ui/components/popup-style.ts";
import { Spinner } from "@latchkey/ui/components/spinner.tsx";
import { useSettled } from "../../components/use-settled.ts";
import { type Command, type CommandGroup, matchCommands } from "./command.ts";
import { useCommands } from "./use-commands.ts";
import { useFindings, useRecent } from "./use-findings.ts";
import { t } from "../../texts.ts";

interface CommandListProps {
  onRun: (command: Command) => void;
}

const CommandList = ({ onRun }: CommandListProps) => (
  <Autocomplete.List className="max-h-[min(60dvh,26rem)] overflow-y-auto p-2 outline-none empty:hidden">
    {(group: CommandGroup) => (
      <Autocomplete.Group key={group.label} items={group.items as Command[]} className="mb-1">
        <Autocomplete.GroupLabel className="px-2 py-1 text-xs text-muted">
          {group.label}
        </Autocomplete.GroupLabel>
        <Autocomplete.Collection>
          {(command: Command) => (
            <Autocomplete.Item
              key={command.id}
              value={command}
              onClick={() => onRun(command)}
              className={classNames(popupItemStyle, "h-9")}
            >
              <command.icon aria-hidden="true" className="text-muted" />
              <span className="min-w-0 truncate">{command.label}</span>
              {command.hint !== undefined && (
                <span className="ms-auto min-w-0 shrink-[2] truncate ps-4 text-xs text-muted">
                  {command.hint}
                </span>
              )}
            </Autocomplete.Item>
          )}
        </Autocomplete.Collection>
      </Autocomplete.Group>
    )}
  </Autocomplete.List>
);

/** Returns the results for the current text. Drops results of an earlier text, because Enter would open them. */
const useFound = (text: string) => {
  const settled = useSettled(text);
  const { groups, isFetching, isError } = useFindings(settled);
  const isWorthAsking = text.trim().length > 1;
  const isAsked = settled.trim() === text.trim();
  return {
    groups: isWorthAsking && isAsked ? groups : [],
    isSearching: isWorthAsking && (isFetching || !isAsked),
    isError: isWorthAsking && isAsked && isError,
    hint: isWorthAsking ? "" : t("palette.hint"),
  };
};

const statusOf = ({ isSearching, isError, hint }: ReturnType<typeof useFound>): string => {
  if (isSearching) return t("pickers.searching");
  return isError ? t("pickers.failed") : hint;
};

interface PaletteProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Opens any screen, finds users, organizations and keys, and starts actions, all by keyboard. */
export const Palette = ({ isOpen, onOpenChange }: PaletteProps) => {
  const [text, setText] = useState("");
  const commands = useCommands();
  const matches = useFound(text);
  const fitting = commands.map(({ label, items }) => ({
    label,
    items: matchCommands(items, text),
  }));
  const recent = useRecent();
  const first = text.trim() === "" ? [recent] : [];
  const groups = [...first, ...fitting, ...matches.groups].filter(({ items }) => items.length > 0);
  const run = (command: Command) => {
    onOpenChange(false);
    command.run();
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropStyle} />
        <Dialog.Popup
          aria-label={t("shell.search")}
          className={classNames(
            dialogStyle,
            "top-[12dvh] max-w-xl translate-y-0 overflow-hidden p-0",
          )}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            value={text}
            onValueChange={(typed) => setText(typed)}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(command: Command) => command.label}
          >
            <div className="flex items-center gap-2 border-b px-4">
              <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <Autocomplete.Input
                aria-label={t("shell.search")}
                placeholder={t("palette.placeholder")}
                className="h-12 min-w-0 flex-1 bg-transparent outline-none"
              />
              <span className="size-4">{matches.isSearching && <Spinner />}</span>
            </div>
            <Autocomplete.Empty className="empty:hidden">
              {!matches.isSearching && <p className="px-4 pt-4 text-muted">{t("ui.noResults")}</p>}
            </Autocomplete.Empty>
            <CommandList onRun={run} />
          </Autocomplete.Root>
          <p role="status" className="flex h-9 items-center border-t px-4 text-xs text-muted">
            {statusOf(matches)}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

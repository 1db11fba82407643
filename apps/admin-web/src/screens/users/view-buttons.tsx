import { Button } from "@latchkey/ui/components/button.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { BookmarkMinus, BookmarkPlus } from "lucide-react";
import { useState } from "react";
import { useSavedViews } from "../../components/users/saved-views.ts";
import type { UsersSearch } from "./users-search.ts";
import { t } from "../../texts.ts";

const SaveView = lazyDialog(async () => (await import("./save-view.tsx")).SaveView);

/** Returns what of a search makes a view: neither the page nor an open dialog. */
const viewOf = ({ cursor, do: _do, preview, ...search }: UsersSearch): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const textOf = (search: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(search).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Saves the current search as a view, or removes the view that it is. */
export const ViewButtons = ({ search }: { search: UsersSearch }) => {
  const { views, save, remove } = useSavedViews();
  const [isNaming, setIsNaming] = useState(false);
  const wanted = viewOf(search);
  const current = views.find((view) => textOf(view.search) === textOf(wanted));
  return (
    <>
      {current && (
        <Button kind="quiet" onClick={() => remove(current.name)}>
          <BookmarkMinus />
          {t("users.views.remove")}
        </Button>
      )}
      {!current && Object.keys(wanted).length > 0 && (
        <Button kind="quiet" onClick={() => setIsNaming(true)}>
          <BookmarkPlus />
          {t("users.views.save")}
        </Button>
      )}
      <SaveView
        isOpen={isNaming}
        onOpenChange={setIsNaming}
        onSave={(name) => save({ name, search: wanted })}
      />
    </>
  );
};

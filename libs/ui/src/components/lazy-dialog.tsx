import { type ComponentType, useEffect, useState } from "react";
import { lazyModule } from "./lazy-module.ts";

interface DialogState {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Returns a dialog whose code loads when it opens for the first time. It closes if that fails, so that the user can open it again. */
export const lazyDialog = <Props extends DialogState>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  const dialog = lazyModule(async () => ({ Dialog: await load() }));
  const Opened = (props: Props) => {
    const { isOpen, onOpenChange } = props;
    const loaded = dialog.useModule();
    useEffect(() => {
      if (!isOpen) return;
      void dialog.load().then((isLoaded) => isLoaded || onOpenChange(false));
    }, [isOpen, onOpenChange]);
    return loaded && <loaded.Dialog {...props} />;
  };
  return (props) => {
    const [wasOpen, setWasOpen] = useState(props.isOpen);
    if (props.isOpen && !wasOpen) setWasOpen(true);
    // It stays after it was closed, so that closing is animated.
    return wasOpen ? <Opened {...props} /> : null;
  };
};

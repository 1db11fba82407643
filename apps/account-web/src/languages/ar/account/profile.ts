import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "حسابك",
  signedInAs: "سجَّلت الدخول باسم {{email}}.",
  you: {
    title: "الملف الشخصي",
    text: "يرى الآخرون اسمك عندما تعملون معًا.",
    name: "الاسم",
    image: "الصورة",
    imageHint: "عنوان صورة، مثل https://example.com/me.png.",
    imageFault: "أدخِل عنوانًا يبدأ بـ https://.",
    username: "اسم المستخدم",
    save: "حفظ",
    saved: "تم حفظ الملف الشخصي.",
  },
  email: {
    title: "عنوان البريد الإلكتروني",
    verified: "مؤكَّد",
    unverified: "غير مؤكَّد",
    resend: "إعادة إرسال رسالة التأكيد",
    resent: "أرسلنا رابطًا إلى {{email}}.",
    change: "تغيير عنوان البريد الإلكتروني",
    newEmail: "عنوان البريد الإلكتروني الجديد",
    enterEmail: "أدخِل عنوان بريد إلكتروني مثل name@example.com.",
    confirmText: "سنرسل رابطًا إلى عنوان بريدك الإلكتروني الحالي. افتحه لتأكيد التغيير.",
    atOnceText: "سنرسل إلى عنوان البريد الإلكتروني الجديد رابطًا لتأكيده.",
    changed: "تم تغيير عنوان البريد الإلكتروني. افتح الرابط الذي أرسلناه إليه.",
    send: "إرسال الرابط",
    requested: "هناك رابط في طريقه إلى عنوان بريدك الإلكتروني الحالي.",
  },
};

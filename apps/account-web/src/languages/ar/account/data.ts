import type { Translation } from "../../messages.ts";

export const data: Translation<"account", "data"> = {
  title: "بياناتك",
  lead: "ما يتم تخزينه عنك، وكيفية حذفه.",
  export: {
    title: "تنزيل بياناتك",
    text: "ملف يضم ملفك الشخصي وطرق تسجيل الدخول والجلسات والمفاتيح والمؤسسات.",
    action: "تنزيل البيانات",
    fileName: "{{- name}} بيانات",
  },
  delete: {
    title: "حذف الحساب",
    text: "سيُحذف حسابك وكل ما فيه. لا يمكن التراجع عن ذلك.",
    action: "حذف الحساب",
    confirmTitle: "هل تريد حذف حسابك؟",
    mailedTitle: "تحقَّق من بريدك الوارد",
    mailedText: "أرسلنا رابطًا إلى {{email}}. افتحه لحذف حسابك.",
    done: "تم",
  },
};

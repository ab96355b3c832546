// Buttons that use a passkey are shown where the browser can; what goes wrong is said in words.
(() => {
  "use strict";

  const canUse = "PublicKeyCredential" in window;
  document.querySelectorAll("[data-passkey]").forEach((element) => {
    element.hidden = !canUse;
  });

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    const region = document.getElementById("messages");
    if (!region) return;
    const message = document.createElement("div");
    message.className = "message message-error";
    message.setAttribute("role", "alert");
    const text = document.createElement("p");
    text.textContent = "The passkey was not used. Try again, or choose another way.";
    message.append(text);
    region.replaceChildren(message);
  });
})();

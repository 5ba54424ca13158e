for (const box of document.querySelectorAll(".copyable")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    const text = box.querySelector("pre").textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      const range = document.createRange();
      range.selectNodeContents(box.querySelector("pre"));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = "selected";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  box.append(button);
}
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1));
  for (let at = target; at; at = at.parentElement) { if (at.tagName === "DETAILS") at.open = true; }
  target?.querySelector("details")?.setAttribute("open", "");
  target?.scrollIntoView({ block: "center" });
};
addEventListener("hashchange", reveal);
if (location.hash) reveal();

/** The script of the documentation page: sends what a form says and shows the answer as text. */
export const TRY_SCRIPT = `'use strict';
const keyField = document.querySelector('#key input');
document.querySelector('#key').addEventListener('submit', (event) => event.preventDefault());

const requestOf = (form) => {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const input of form.querySelectorAll('input')) {
    const [kind, name] = input.name.split(':');
    if (kind === 'path') path = path.replace('{' + name + '}', encodeURIComponent(input.value));
    else if (input.value !== '') query.set(name, input.value);
  }
  const headers = {};
  if (keyField.value !== '') headers.Authorization = 'Bearer ' + keyField.value;
  const options = { method: form.dataset.method, headers };
  const body = form.querySelector('textarea');
  if (body !== null && body.value.trim() !== '') {
    headers['Content-Type'] = 'application/json';
    options.body = body.value;
  }
  const text = query.toString();
  return [path + (text === '' ? '' : '?' + text), options];
};

const readable = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

for (const form of document.querySelectorAll('form[data-path]'))
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const pre = document.createElement('pre');
    form.querySelector('output').replaceChildren(pre);
    try {
      const response = await fetch(...requestOf(form));
      pre.textContent = response.status + ' ' + response.statusText + '\\n\\n' + readable(await response.text());
    } catch (error) {
      pre.textContent = 'No answer: ' + error.message;
    }
  });
`;

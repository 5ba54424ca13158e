// The page starts here.

import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { session } from './lib/app.ts';

const target = document.getElementById('app');
if (target !== null) {
  mount(App, { target });
  session.start();
}
